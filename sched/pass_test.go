package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// runs lists what c runs, entry by entry, each at the time of the alarm before.
func (r *rig) runs(c cpu.ID, n int) []process.ContextID {
	var ran []process.ContextID
	for range n {
		next, alarm := r.s.Pass(c, r.now, &r.a)
		ran = append(ran, next)
		if alarm >= 0 {
			r.now = alarm
		}
	}
	return ran
}

func (r *rig) want(what string, got, want any) {
	r.t.Helper()
	if got != want {
		r.t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func same(a, b []process.ContextID) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestFairContextsTakeTurnsInTheOrderOfArrival(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.s.LeaveIdle(0, r.now)
	a, b, c := r.pin(0, process.Fair, 1), r.pin(0, process.Fair, 1), r.pin(0, process.Service, 1)
	if got := r.runs(0, 5); !same(got, []process.ContextID{a, b, c, a, b}) {
		t.Errorf("CPU 0 ran %v, want %v", got, []process.ContextID{a, b, c, a, b})
	}
}

func TestASliceEndsOnlyIfSomethingWaits(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	a := r.start(0, process.Fair)
	next, alarm := r.s.Pass(0, r.now+time.Hour, &r.a)
	r.want("the context that is alone", next, a)
	r.want("its alarm", alarm, time.Duration(-1))
	b := r.pin(0, process.Fair, 1)
	r.now += time.Hour
	next, alarm = r.s.Pass(0, r.now, &r.a)
	r.want("after an hour alone the CPU's next", next, b)
	r.want("the alarm", alarm, r.now+Slice)
	next, alarm = r.s.Pass(0, r.now+Slice-1, &r.a)
	r.want("just before the slice ends the CPU's", next, b)
	r.want("the alarm", alarm, r.now+Slice)
	next, _ = r.s.Pass(0, r.now+Slice, &r.a)
	r.want("when the slice ends the CPU's next", next, a)
}

func TestAYieldGoesBehindTheOthers(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	a := r.start(0, process.Fair)
	b := r.pin(0, process.Fair, 1)
	r.enter(0)
	r.s.Yield(0, r.now)
	r.want("after the yield the CPU's next", r.enter(0), b)
	r.s.Yield(0, r.now)
	r.want("after the other's yield", r.enter(0), a)
}

func TestRealTimeRunsAheadOfFairAndIsNotSliced(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	fair := r.start(0, process.Fair)
	first, second := r.pin(0, process.RealTime, 1), r.pin(0, process.RealTime, 1)
	r.want("the CPU's next", r.enter(0), first)
	r.now += 10 * Slice
	next, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("ten slices later", next, first)
	r.want("the alarm", alarm, r.now-10*Slice+sharePeriod+realTimePatience)
	r.s.Block(0, r.now, -1)
	r.want("once the first waits", r.enter(0), second)
	r.s.Block(0, r.now, -1)
	r.want("once both wait", r.enter(0), fair)
}

func TestBackgroundRunsWhenNothingElseWants(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	low := r.start(0, process.Background)
	fair := r.pin(0, process.Fair, 1)
	next, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("the CPU's next", next, fair)
	r.want("the alarm for a background thread", alarm, r.now+sharePeriod)
	next, alarm = r.s.Pass(0, r.now+sharePeriod-1, &r.a)
	r.want("a moment before its share is due", next, fair)
	r.want("the alarm", alarm, r.now+sharePeriod)
	r.now += sharePeriod - 1
	r.s.Block(0, r.now, -1)
	r.want("once the fair one waits", r.enter(0), low)
}

func TestAPreemptedContextKeepsItsPlaceAndTheRestOfItsSlice(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	a := r.start(0, process.Fair)
	r.pin(0, process.Fair, 1)
	r.enter(0)
	r.now += Slice - time.Millisecond
	urgent := r.pin(0, process.RealTime, 1)
	r.want("the CPU's next", r.enter(0), urgent)
	r.now += time.Second
	r.s.Block(0, r.now, -1)
	next, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("after the preemption", next, a)
	r.want("the rest of the slice", alarm-r.now, time.Millisecond)
	r.want("the count of preemptions", r.s.Counter(0, Preemptions), uint64(1))
}

func TestTheAlarmIsTheEarliestOfBlockedContexts(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	at := []time.Duration{9, 3, 7}
	for _, d := range at {
		r.start(0, process.Fair)
		r.s.Block(0, r.now, r.now+d)
	}
	_, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("the alarm", alarm, r.now+3)
}

func TestAQueueLetsOneLeaveFromTheMiddle(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(0, process.Fair)
	var ids []process.ContextID
	for range 5 {
		ids = append(ids, r.pin(0, process.Fair, 1))
	}
	r.enter(0)
	for _, i := range []int{2, 3} {
		r.s.dequeue(0, ids[i])
	}
	var buf [8]process.ContextID
	if n := r.s.Queued(0, buf[:]); !same(buf[:n], []process.ContextID{ids[0], ids[1], ids[4]}) {
		t.Fatalf("left are %v, want %v", buf[:n], []process.ContextID{ids[0], ids[1], ids[4]})
	}
	r.s.enqueue(0, ids[2])
	r.s.enqueueAgain(0, ids[3])
	if n := r.s.Queued(0, buf[:]); !same(buf[:n], []process.ContextID{ids[0], ids[1], ids[3], ids[4], ids[2]}) {
		t.Errorf("then %v", buf[:n])
	}
}

func TestAContextIsQueuedOnce(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(0, process.Fair)
	id := r.pin(0, process.Fair, 1)
	r.enter(0)
	defer func() {
		if recover() == nil {
			t.Error("a context was queued twice")
		}
	}()
	r.s.admit(0, id) // and no further: a queue that is a circle has no end
}

func TestAPassTakesABoundedPieceOfAStorm(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	const storm = 5 * passBudget / 2
	var ids, all []process.ContextID
	for range storm {
		ids = append(ids, r.pin(0, process.Fair, 1))
	}
	r.s.LeaveIdle(0, r.now)
	buf := make([]process.ContextID, storm)
	for passes := 1; len(all) < storm; passes++ {
		next, alarm := r.s.Pass(0, r.now, &r.a)
		n := r.s.Queued(0, buf)
		if taken := n + 1 - len(all); taken > passBudget || passes > 3 {
			t.Fatalf("pass %d takes %d", passes, taken)
		}
		all = append([]process.ContextID{next}, buf[:n]...)
		if again := alarm == r.now; again != (len(all) < storm) {
			t.Errorf("pass %d: alarm %v with %d of %d taken", passes, alarm, len(all), storm)
		}
	}
	if !same(all, ids) {
		t.Error("they are not in the order of posting")
	}
	r.want("load", r.s.Look(0).Load, uint32(storm-1))
}
