package boot

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

const century = 100 * 366 * 24 * 3600 * 1_000_000_000 // ns

// exact returns a·b/c rounded down, in as many bits as it takes.
func exact(a, b, c uint64) *big.Int {
	product := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
	return product.Quo(product, new(big.Int).SetUint64(c))
}

func drawHz(t *rapid.T) uint64 {
	return rapid.OneOf(
		rapid.SampledFrom([]uint64{minHz, 999_999_999, 1_000_000_000, 1_000_000_001, 2_096_000_000, 1 << 31, 1 << 32, 4_500_000_000, maxHz}),
		rapid.Uint64Range(minHz, maxHz),
	).Draw(t, "Hz")
}

// longest returns the longest time in ns that tests use: a century, or less if
// the TSC wraps before.
func longest(hz uint64) uint64 {
	if wraps := exact(1<<64-4, 1_000_000_000, hz); wraps.IsUint64() {
		return min(century, wraps.Uint64())
	}
	return century
}

func TestACenturyFitsTheFastestTSCThatExists(t *testing.T) {
	if got := longest(5_700_000_000); got != century {
		t.Errorf("the TSC wraps after %d ns", got)
	}
}

func TestNanosecondsAreExactToOneForACentury(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Clock
		hz := drawHz(t)
		if !c.Set(hz) || c.Hz != hz {
			t.Fatalf("%d Hz refused", hz)
		}
		ns := rapid.Uint64Range(0, longest(hz)).Draw(t, "ns")
		ticks := exact(ns, hz, 1_000_000_000).Uint64()
		want := exact(ticks, 1_000_000_000, hz).Int64()
		if got := c.Nanoseconds(ticks); got < want || got > want+1 {
			t.Fatalf("%d ticks at %d Hz are %d ns, want %d or one more", ticks, hz, got, want)
		}
		if next := c.Nanoseconds(ticks + 1); next < c.Nanoseconds(ticks) {
			t.Fatalf("tick %d at %d Hz goes back to %d ns", ticks+1, hz, next)
		}
	})
}

func TestAlarmsSetByTicksAreNeverEarlyAndHardlyLate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Clock
		hz := drawHz(t)
		c.Set(hz)
		ns := rapid.Int64Range(1, int64(longest(hz))).Draw(t, "ns")
		want := exact(uint64(ns), hz, 1_000_000_000).Uint64()
		ticks := c.Ticks(ns)
		if c.Nanoseconds(ticks) < ns {
			t.Fatalf("%d ns at %d Hz are %d ticks, which are only %d ns", ns, hz, ticks, c.Nanoseconds(ticks))
		}
		if ticks < want || ticks > want+2 {
			t.Fatalf("%d ns at %d Hz are %d ticks, want %d to two more", ns, hz, ticks, want)
		}
	})
}

func TestClockEnds(t *testing.T) {
	var c Clock
	for _, hz := range []uint64{0, 1, minHz - 1, maxHz + 1, 1<<64 - 1} {
		if c.Set(hz) || c.Hz != 0 {
			t.Errorf("%d Hz accepted", hz)
		}
	}
	c.Set(minHz)
	if got := c.Nanoseconds(1<<64 - 1); got != 1<<63-1 {
		t.Errorf("an endless time is %d ns", got)
	}
	if got := c.Ticks(-1); got != 0 {
		t.Errorf("a negative time is %d ticks", got)
	}
	if got := c.Ticks(0); got != 0 {
		t.Errorf("no time is %d ticks", got)
	}
	c.Set(maxHz)
	if got := c.Ticks(1<<63 - 1); got != 1<<64-1 {
		t.Errorf("an endless time is %d ticks", got)
	}
}

func TestRatesFromSamplesWithWrap(t *testing.T) {
	const hz = 2_096_000_123
	sample := func(reference, twentieths uint64) Sample {
		return Sample{TSC: 1<<63 + twentieths*hz/20, Ticks: reference, Window: 1}
	}
	for _, start := range []uint64{0, 1<<24 - 5, 1<<24 - 100_000, 1<<32 - 7} {
		a, b := sample(start, 0), sample(start+pmTimerHz/20, 1)
		for _, wide := range []bool{false, true} {
			mask := uint64(1<<24 - 1)
			if wide {
				mask = 1<<32 - 1
			}
			x, y := a, b
			x.Ticks &= mask
			y.Ticks &= mask
			wantHz(t, RateByPMTimer(&x, &y, wide), hz, 10)
		}
		h, k := sample(start, 0), sample(start+5_000_000, 1) // 10 ns a tick
		wantHz(t, RateByHPET(&h, &k, 10_000_000, true), hz, 1)
		k.Ticks &= 1<<32 - 1
		h.Ticks &= 1<<32 - 1
		wantHz(t, RateByHPET(&h, &k, 10_000_000, false), hz, 1)
	}
}

// wantHz allows an error of some parts per million, which the reference's own
// grain makes.
func wantHz(t *testing.T, got, want, ppm uint64) {
	t.Helper()
	if max(got, want)-min(got, want) > want/1_000_000*ppm {
		t.Errorf("%d Hz, want %d", got, want)
	}
}

func TestSamplesThatAllowNoRateGiveNone(t *testing.T) {
	a, b := Sample{TSC: 5, Ticks: 7}, Sample{TSC: 1 << 62, Ticks: 7}
	for name, got := range map[string]uint64{
		"PM timer stands":  RateByPMTimer(&a, &b, true),
		"HPET stands":      RateByHPET(&a, &b, 10_000_000, true),
		"HPET no period":   RateByHPET(&a, &Sample{Ticks: 100, TSC: 100}, 0, true),
		"HPET long period": RateByHPET(&a, &Sample{Ticks: 100, TSC: 100}, maxHPETPeriod+1, true),
		"HPET long ago":    RateByHPET(&Sample{}, &Sample{Ticks: 1<<60 + 12345, TSC: 1 << 50}, maxHPETPeriod, true),
		"too fast":         Rate(1<<63, 1, 1<<63),
		"no reference":     Rate(1, 0, 1),
	} {
		if got != 0 {
			t.Errorf("%s: %d Hz", name, got)
		}
	}
}

func TestRateIsRoundedToTheNearest(t *testing.T) {
	for _, c := range []struct{ ticks, reference, referenceHz, want uint64 }{
		{10, 4, 1, 3}, {9, 4, 1, 2}, {1000, 1000, 3_579_545, 3_579_545}, {1 << 40, 1 << 40, 1 << 60, 1 << 60},
	} {
		if got := Rate(c.ticks, c.reference, c.referenceHz); got != c.want {
			t.Errorf("%d / %d * %d = %d, want %d", c.ticks, c.reference, c.referenceHz, got, c.want)
		}
	}
}

func TestSampleKeepsTheLeastDisturbedReading(t *testing.T) {
	var s Sample
	s.Add(1000, 1, 1400)
	s.Add(2000, 2, 2100)
	s.Add(3000, 3, 3300)
	if want := (Sample{TSC: 2050, Ticks: 2, Window: 100}); s != want {
		t.Errorf("kept %+v, want %+v", s, want)
	}
	s.Add(4000, 4, 4000)
	if want := (Sample{TSC: 4000, Ticks: 4, Window: 1}); s != want {
		t.Errorf("kept %+v, want %+v", s, want)
	}
}

func TestChoiceOfTheRate(t *testing.T) {
	const a, near, b = 2_000_000_000, 2_001_000_000, 3_000_000_000
	for name, c := range map[string]struct {
		rates               Rates
		hz                  uint64
		source              ClockSource
		confirmed, disputed bool
	}{
		"nothing":            {Rates{}, 0, NoClock, false, false},
		"PM timer alone":     {Rates{PMTimer: a}, a, ByPMTimer, false, false},
		"HPET alone":         {Rates{HPET: a}, a, ByHPET, false, false},
		"statement alone":    {Rates{Stated: a}, a, ByStatement, false, false},
		"all agree":          {Rates{a, near, a}, a, ByPMTimer, true, false},
		"timers agree":       {Rates{a, near, b}, a, ByPMTimer, true, true},
		"PM timer is wrong":  {Rates{b, a, near}, a, ByHPET, true, true},
		"HPET is wrong":      {Rates{a, b, near}, a, ByPMTimer, true, true},
		"two that disagree":  {Rates{PMTimer: a, HPET: b}, a, ByPMTimer, false, true},
		"none agree":         {Rates{a, b, 1_000_000_000}, a, ByPMTimer, false, true},
		"HPET and statement": {Rates{HPET: a, Stated: near}, a, ByHPET, true, false},
		"HPET against it":    {Rates{HPET: a, Stated: b}, a, ByHPET, false, true},
		"PM timer absurd":    {Rates{PMTimer: 999, HPET: a}, a, ByHPET, false, false},
		"statement absurd":   {Rates{PMTimer: a, Stated: 1 << 60}, a, ByPMTimer, false, false},
	} {
		hz, source, confirmed, disputed := c.rates.Choose(1000)
		if hz != c.hz || source != c.source || confirmed != c.confirmed || disputed != c.disputed {
			t.Errorf("%s: %d Hz by %s, confirmed %v, disputed %v", name, hz, source.Text(), confirmed, disputed)
		}
		if (source.Text() == "none") != (source == NoClock) {
			t.Errorf("%s: source reads %q", name, source.Text())
		}
	}
	exactly := Rates{PMTimer: 1_000_000_000, HPET: 1_001_000_000}
	if _, _, confirmed, _ := exactly.Choose(1000); !confirmed {
		t.Error("a difference of 999.001 parts per million of the larger is beyond 1000")
	}
	if _, _, confirmed, _ := exactly.Choose(999); confirmed {
		t.Error("a difference of 999.001 parts per million of the larger is within 999")
	}
}

func FuzzClock(f *testing.F) {
	f.Add(uint64(2_096_000_000), uint64(1<<40), uint64(1<<41), uint64(10_000_000))
	f.Add(uint64(0), uint64(0), uint64(0), uint64(0))
	f.Add(^uint64(0), ^uint64(0), uint64(1), ^uint64(0))
	f.Fuzz(func(t *testing.T, hz, ticks, more, period uint64) {
		a, b := Sample{TSC: ticks, Ticks: more}, Sample{TSC: more, Ticks: ticks}
		rates := Rates{RateByPMTimer(&a, &b, hz&1 != 0), RateByHPET(&a, &b, period, hz&2 != 0), hz}
		chosen, source, confirmed, _ := rates.Choose(period)
		if (chosen == 0) != (source == NoClock) || confirmed && chosen == 0 {
			t.Fatalf("%+v gives %d by %s, confirmed %v", rates, chosen, source.Text(), confirmed)
		}
		var c Clock
		if c.Set(chosen) != (chosen != 0) {
			t.Fatalf("a clock of %d Hz: %v", chosen, chosen == 0)
		}
		if chosen == 0 {
			return
		}
		if low, high := min(ticks, more), max(ticks, more); c.Nanoseconds(low) > c.Nanoseconds(high) || c.Ticks(int64(low>>1)) > c.Ticks(int64(high>>1)) {
			t.Fatalf("time at %d Hz goes back between %d and %d", chosen, low, high)
		}
	})
}

func TestParsersDoNotAllocate(t *testing.T) {
	m := newMemory(t)
	m.acpi(2)
	start := startInfo(m, `trace=on env.A="b c" -- d`, []entry{{0, 0x9000, 1}, {0x4000, 0x100, 2}})
	m.acpi(2)
	info, o, c := new(Info), new(Options), new(Clock)
	if n := testing.AllocsPerRun(10, func() {
		ReadStartInfo(m.physical(), start, info)
		info.RSDP = atRSDP
		ReadACPI(m.physical(), 0, info)
		ParseCommandLine(info, o)
		c.Set(2_096_000_000)
		c.Ticks(c.Nanoseconds(1 << 40))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
