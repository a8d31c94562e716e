package sched

import (
	"hearth/cpu"
	"hearth/process"
	"slices"
	"testing"
	"time"
)

// summed is what the summary of c's group and the hints say of c, which is its group's
// only CPU that sleeps: the slots of exit latency under which it is found.
func (r *rig) summed(c cpu.ID) (slots []int) {
	r.t.Helper()
	g, b := r.s.groups.of[c], uint64(1)<<r.s.groups.bit[c]
	sum := &r.s.summaries[g]
	hint := func(kind int) bool { return r.s.hints[g>>6][kind].Load()>>(g&63)&1 != 0 }
	if got := sum.idle.Load(); got&^b != 0 {
		r.t.Errorf("idle of CPU %d's group is %b", c, got)
	}
	for k := range sum.at {
		in := sum.at[k].Load()
		if in&^b != 0 || hint(hintAt+k) != (in != 0) {
			r.t.Errorf("slot %d of CPU %d's group has %b, the hint is %v", k, c, in, hint(hintAt+k))
		}
		if in != 0 {
			slots = append(slots, k)
		}
	}
	if asleep := sum.idle.Load() != 0; asleep != hint(hintAny) || asleep != (len(slots) > 0) {
		r.t.Errorf("CPU %d sleeps: %v, the hint is %v, it is in slots %v", c, asleep, hint(hintAny), slots)
	}
	return slots
}

// lone is a machine on which all run but CPU c, which is neither the first of its group
// nor of the machine.
func lone(t *testing.T, c cpu.ID) *rig {
	r := newRig(t, shape(t, "L(3,3)"))
	for o := range cpu.ID(6) {
		if o != c {
			r.start(o, process.Fair)
		}
	}
	r.s.SetPollBudget(pollBudget)
	r.s.locals[c].slept = longestSleep
	return r
}

func TestACPUIsFoundInTheStateInWhichItSleeps(t *testing.T) {
	for _, latency := range []time.Duration{0, 7 * time.Microsecond} {
		r := lone(t, 4)
		halted := int(bit(latency != 0))
		r.latency(4, latency)
		r.s.LeaveIdle(4, r.now)
		r.want("slots of a CPU that woke up", len(r.summed(4)), 0)
		r.enter(4)
		r.want("it polls", r.polls(4), true)
		r.want("slots of a poller", slices.Equal(r.summed(4), []int{0}), true)
		r.want("it halts", r.s.StopPolling(4, r.now), true)
		r.want("slots of a sleeper", slices.Equal(r.summed(4), []int{halted}), true)
		p, ok := r.s.Place(0, r.now, &Request{Context: r.context(process.Fair), Process: image}, nil)
		r.want("it is found", ok && p.CPU == 4, true)
		r.want("by an exit latency of", time.Duration(p.Key[TermLatency]), latency)
	}
}

// A summary may show too many as idle; each is a handle read in vain.
func TestACPUThatWokeUpIsNotLookedAt(t *testing.T) {
	r := lone(t, 4)
	r.s.LeaveIdle(4, r.now)
	_, before := r.s.Lines(0)
	r.s.Place(0, r.now, &Request{Context: r.context(process.Fair), Process: image}, nil)
	_, after := r.s.Lines(0)
	r.want("what was not as it seemed", after-before, uint64(0))
}

func TestEachExitLatencyHasASlotWhileThereAreSome(t *testing.T) {
	s := new(Scheduler)
	for range 2 {
		for k, latency := range []uint32{0, 500, 20, 3000, 100} {
			if got := s.latencySlot(latency); got != k {
				t.Errorf("latency %d has slot %d, want %d", latency, got, k)
			}
		}
	}
	if s.rough.Load() != 0 {
		t.Errorf("%d latencies are too many", latencies)
	}
	s.latencySlot(50)
	if s.rough.Load() == 0 {
		t.Error("one latency more has room")
	}
}

func TestSlotsAreVisitedTheShallowestFirst(t *testing.T) {
	s := new(Scheduler)
	order := func() (slots []int) {
		for k, last := s.shallower(-1); k >= 0; k, last = s.shallower(last) {
			slots = append(slots, k)
		}
		return slots
	}
	if got := order(); !slices.Equal(got, []int{0}) {
		t.Errorf("without latencies the slots are %v", got)
	}
	for _, latency := range []uint32{500, 20, 1<<32 - 1, 100} {
		s.latencySlot(latency)
	}
	if got := order(); !slices.Equal(got, []int{0, 2, 4, 1, 3}) {
		t.Errorf("the slots are %v", got)
	}
}

// Whatever the state in which it would sleep, no hint names the group of a CPU that is
// offline, and all do when it is back.
func TestAnOfflineCPUIsInNoHint(t *testing.T) {
	for _, latency := range []uint32{0, 1, 2, 3, 4} {
		s := new(Scheduler)
		s.Init(shape(t, "L(1,1)"))
		s.Online(0, 0)
		for l := uint32(0); l <= latency; l++ {
			s.latencySlot(l)
		}
		for range 2 {
			for kind := range hintKinds {
				if s.hints[0][kind].Load() != 0 {
					t.Errorf("before it is online, hint %d is %b", kind, s.hints[0][kind].Load())
				}
			}
			s.online.add(1)
			s.settleOnline(1)
			s.fallAsleep(1, latency)
			for _, kind := range []int{hintCore, hintAny, hintAt + int(latency)} {
				if s.hints[0][kind].Load() != 2 {
					t.Errorf("while CPU 1 sleeps with latency %d, hint %d is %b", latency, kind, s.hints[0][kind].Load())
				}
			}
			s.online.remove(1)
			s.settleOnline(1)
		}
	}
}

// For a context without a mask every CPU will do while there is one that is not isolated.
func TestTheSharedCPUsAreCounted(t *testing.T) {
	r := newRig(t, shape(t, "L(2,3)"))
	r.start(0, process.Fair)
	shared := func(what string, want int32) {
		t.Helper()
		r.want("CPUs for all "+what, r.s.shared.Load(), want)
	}
	shared("at first", 5)
	r.s.SetIsolated(3)
	shared("when CPU 3 is isolated", 4)
	r.offline(4)
	shared("when CPU 4 is offline", 3)
	r.offline(3)
	shared("when the isolated one is too", 3)
	r.s.settleOnline(4)
	shared("when nothing changed", 3)
	r.online(3)
	shared("when the isolated one is back", 3)
	r.online(4)
	shared("when all are back", 4)
}
