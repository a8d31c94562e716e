package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

const pollBudget = 20 * time.Microsecond

// sleeps makes c, which sleeps, do so for d more, and sleep again.
func (r *rig) sleeps(c cpu.ID, d time.Duration) {
	r.t.Helper()
	r.now += d
	if next := r.enter(c); next != 0 {
		r.t.Fatalf("CPU %d runs %d", c, next)
	}
}

// polling is a machine whose CPUs sleep and may poll; none does yet.
func polling(t *testing.T, s string) *rig {
	t.Helper()
	r := newRig(t, shape(t, s))
	r.s.SetPollBudget(pollBudget)
	for c := range r.s.locals {
		r.s.locals[c].slept = longestSleep
	}
	return r
}

func (r *rig) polls(c cpu.ID) bool {
	until, _ := r.s.Idling(c)
	if polls := r.s.Look(c).Idle == Polling; polls != (until != 0) {
		r.t.Errorf("CPU %d polls until %v, its state is %d", c, until, r.s.Look(c).Idle)
	}
	return until != 0
}

func TestAPostToAPollerNeedsNoKick(t *testing.T) {
	r := polling(t, "L(2)")
	r.sleeps(1, time.Millisecond)
	r.want("CPU 1 polls", r.polls(1), true)
	r.want("it has to stop", r.s.Polled(1), false)
	id := r.pin(1, process.Fair, 0)
	r.kicked()
	r.want("it has to stop after a post", r.s.Polled(1), true)
	r.want("what it runs", r.enter(1), id)
	r.want("its state", r.s.Look(1).Idle, Busy)
}

func TestAPostBeforeAPollerHaltsIsSeen(t *testing.T) {
	r := polling(t, "L(2)")
	r.sleeps(1, time.Millisecond)
	id := r.pin(1, process.Fair, 0)
	r.want("it halts", r.s.StopPolling(1, r.now), false)
	r.want("what it runs", r.enter(1), id)
}

func TestAPollerThatHaltsIsKicked(t *testing.T) {
	r := polling(t, "L(2)")
	r.sleeps(1, time.Millisecond)
	r.want("it halts", r.s.StopPolling(1, r.now), true)
	r.pin(1, process.Fair, 0)
	r.kicked(1)
}

func TestPollingIsBounded(t *testing.T) {
	r := polling(t, "L(1)")
	for _, slept := range []time.Duration{time.Microsecond, pollBudget / 4, pollBudget, time.Millisecond} {
		r.s.locals[0].slept = slept
		r.sleeps(0, slept)
		want := min(2*slept, pollBudget)
		if until, _ := r.s.Idling(0); until == 0 || until > r.now+want+2 {
			t.Errorf("after sleeps of %v it polls for %v, at most %v are right", slept, until-r.now, want)
		}
	}
}

func TestACPUThatIsNotWokenSoonDoesNotPollBesideAnother(t *testing.T) {
	r := polling(t, "L(3,1)")
	for c := range cpu.ID(4) {
		r.sleeps(c, time.Millisecond)
	}
	for c, want := range []bool{true, false, false, true} {
		if got := r.polls(cpu.ID(c)); got != want {
			t.Errorf("CPU %d polls: %v; no wakes come, and one of an LLC domain may", c, got)
		}
	}
	r.s.StopPolling(0, r.now)
	r.sleeps(1, time.Millisecond)
	r.want("CPU 1 polls when CPU 0 halts", r.polls(1), true)
}

func TestACPUThatIsWokenSoonPollsBesideAnother(t *testing.T) {
	r := polling(t, "L(2)")
	r.sleeps(0, time.Millisecond)
	for range 12 {
		r.sleeps(1, time.Microsecond)
	}
	r.want("CPU 0 polls", r.polls(0), true)
	r.want("CPU 1 polls", r.polls(1), true)
	r.sleeps(1, time.Millisecond)
	r.want("CPU 1 polls after a long sleep", r.polls(1), false)
}

func TestNobodyPollsWithoutABudget(t *testing.T) {
	r := polling(t, "L(2)")
	r.s.SetPollBudget(0)
	for range 12 {
		r.sleeps(1, time.Microsecond)
	}
	r.want("CPU 1 polls", r.polls(1), false)
	r.want("polls", r.s.Total(Polls), uint64(0))
}

func TestAnOfflineCPUDoesNotPoll(t *testing.T) {
	r := polling(t, "L(2)")
	r.start(0, process.Fair)
	r.offline(1)
	r.sleeps(1, time.Millisecond)
	r.want("CPU 1 polls", r.polls(1), false)
}

func TestACPUThatComesBackWhileItPollsIsKicked(t *testing.T) {
	r := polling(t, "L(2)")
	r.start(0, process.Fair)
	r.sleeps(1, time.Millisecond)
	r.want("CPU 1 polls", r.polls(1), true)
	r.s.SetOffline(0, r.now, 1, &r.a)
	r.kicked(1)
}

func TestADeepStateIsForALongSleepAlone(t *testing.T) {
	states := [MaxIdleStates]IdleState{
		{Exit: time.Microsecond}, {20 * time.Microsecond, 100 * time.Microsecond}, {200 * time.Microsecond, 2 * time.Millisecond},
	}
	for _, c := range []struct {
		what  string
		slept time.Duration
		alarm time.Duration // from now, 0: none
		state int
	}{
		{"long sleeps and no alarm", 5 * time.Millisecond, 0, 2},
		{"sleeps of middle length", time.Millisecond, 0, 1},
		{"short sleeps", 50 * time.Microsecond, 0, 0},
		{"long sleeps and a near alarm", 5 * time.Millisecond, 150 * time.Microsecond, 1},
		{"long sleeps and a very near alarm", 5 * time.Millisecond, 50 * time.Microsecond, 0},
	} {
		r := newRig(t, shape(t, "L(1)"))
		r.s.SetIdleStates(&states, 3)
		r.start(0, process.Fair)
		r.s.locals[0].slept = c.slept
		deadline := time.Duration(-1)
		if c.alarm != 0 {
			deadline = r.now + c.alarm
		}
		r.s.Block(0, r.now, deadline)
		r.enter(0)
		_, state := r.s.Idling(0)
		r.want("the state after "+c.what, state, c.state)
		r.want("its exit latency", time.Duration(r.s.handles[0].latency.Load()), states[c.state].Exit)
	}
}
