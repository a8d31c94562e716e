package boot

import (
	"math/rand/v2"
	"testing"
)

// round plays one question and answer between two TSCs of which the second is
// ahead by offset: the question travels for there ticks, the answer for back.
func (o *Offset) round(at uint64, offset int64, there, back uint64) {
	o.Add(at, at+there+uint64(offset), at+there+back)
}

func TestOffsetIsBetweenTheQuickestTravelsEachWay(t *testing.T) {
	var o Offset
	o.round(1_000, 500, 40, 900)
	o.round(9_000, 500, 700, 60)
	o.round(20_000, 500, 300, 300)
	if o.Low != 500-60 || o.High != 500+40 || o.Rounds != 3 || !o.Steady() || o.None() {
		t.Errorf("%+v", o)
	}
	if o.Middle() != 490 || o.Within() != 50 {
		t.Errorf("middle %d within %d", o.Middle(), o.Within())
	}
}

func TestOffsetHoldsTheTruthWhateverTheTravels(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		var o Offset
		offset := random.Int64N(1<<40) - 1<<39
		if random.IntN(4) == 0 {
			offset = random.Int64N(200) - 100
		}
		at := random.Uint64() // TSCs run over, and so do differences
		for range 1 + random.IntN(30) {
			o.round(at, offset, uint64(random.IntN(5_000)), uint64(random.IntN(5_000)))
			at += uint64(random.IntN(1 << 20))
		}
		if !o.Steady() || offset < o.Low || offset > o.High {
			t.Fatalf("offset %d is not in %+v", offset, o)
		}
		if off := offset - o.Middle(); off > int64(o.Within()) || -off > int64(o.Within()) {
			t.Fatalf("middle %d within %d does not reach %d", o.Middle(), o.Within(), offset)
		}
		put, ok := o.Correction(10_000)
		if !ok || o.None() != (put == 0) && !o.None() || !o.None() && put != o.Middle() {
			t.Fatalf("%+v is put right by %d, %v", o, put, ok)
		}
	}
}

// TestCorrectedTSCNeverTellsAnEarlierTimeThanItsAskerSaw is what corrections are for:
// no message as slow as those of the rounds carries a time that is later than the
// receiver's clock.
func TestCorrectedTSCNeverTellsAnEarlierTimeThanItsAskerSaw(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2_000 {
		var o Offset
		offset := random.Int64N(1<<20) - 1<<19
		quickest := [2]uint64{1 << 40, 1 << 40}
		for range 1 + random.IntN(30) {
			travel := [2]uint64{1 + uint64(random.IntN(900)), 1 + uint64(random.IntN(900))}
			o.round(1<<30, offset, travel[0], travel[1])
			quickest = [2]uint64{min(quickest[0], travel[0]), min(quickest[1], travel[1])}
		}
		put, ok := o.Correction(1_000)
		if !ok {
			t.Fatalf("%+v cannot be put right", o)
		}
		left := offset - put // what the corrected TSC is ahead
		if int64(quickest[0])+left < 0 || int64(quickest[1])-left < 0 {
			t.Fatalf("%d is put right by %d: a message of %v ticks goes back in time", offset, put, quickest)
		}
	}
}

func TestOffsetThatCannotBePutRightIsRefused(t *testing.T) {
	var drift Offset
	drift.round(0, 0, 10, 10)
	drift.round(1_000, 30, 10, 10)
	if _, ok := drift.Correction(1 << 60); ok || drift.Steady() || drift.Within() != 10 {
		t.Errorf("an offset that changed by 30, of which the travels hide 20: %+v, put right %v, within %d", drift, ok, drift.Within())
	}
	var vague Offset
	vague.round(0, 5_000, 1_000, 1_002)
	if put, ok := vague.Correction(1_000); ok {
		t.Errorf("an offset known to within %d is put right by %d", vague.Within(), put)
	}
	if put, ok := vague.Correction(1_001); !ok || put != vague.Middle() {
		t.Errorf("an offset known to within %d is put right by %d, %v", vague.Within(), put, ok)
	}
	var perhaps Offset
	perhaps.round(0, 5_000, 10_000, 10_000)
	if put, ok := perhaps.Correction(1); !ok || put != 0 {
		t.Errorf("TSCs that may agree are put right by %d, %v", put, ok)
	}
}
