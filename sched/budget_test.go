package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// crowdRequests makes CPU 1 ask CPU 0 to look at the mask of id, and then at those of
// more contexts, queued there, than one pass can.
func (r *rig) crowdRequests(id process.ContextID, others []process.ContextID) {
	r.t.Helper()
	m := only(1)
	r.s.SetMask(1, r.now, id, &m, &r.a) // requests are taken last first
	m = only(0)
	for _, id := range others {
		r.s.SetMask(1, r.now, id, &m, &r.a)
	}
}

func TestWhatRunsObeysItsMaskHoweverManyRequestsWait(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	others := r.pinned(0, 4*passBudget)
	id := r.s.Current(0)
	r.crowdRequests(id, others)
	if next, alarm := r.s.Pass(0, r.now, &r.a); next == id || alarm != r.now {
		t.Errorf("what may not run on CPU 0: %d; the pass goes on with %d, alarm %v", id, next, alarm)
	}
	r.want("its home", r.home(id), cpu.ID(1))
}

func TestWhatWouldRunNextObeysItsMaskHoweverManyRequestsWait(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	others := r.pinned(0, 4*passBudget)
	r.s.Block(0, r.now, -1)
	r.crowdRequests(others[0], others[1:])
	next, _ := r.s.Pass(0, r.now, &r.a)
	r.want("what runs", next, others[1])
	r.want("the home of the one before it", r.home(others[0]), cpu.ID(1))
}

// With nothing to run and work left to look at, the CPU may not sleep.
func TestACPUDoesNotSleepOnWhatAPassLeft(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	const posted = 2 * passBudget * linksAUnit
	for range posted {
		r.pin(0, process.Fair, 1)
	}
	r.s.LeaveIdle(0, r.now)
	next, alarm := r.s.Pass(0, r.now, &r.a) // turns some round, has none in order
	r.want("what runs", next, process.ContextID(0))
	r.want("the alarm", alarm, r.now)
	r.want("whether it may sleep", r.s.EnterIdle(0, r.now, &r.a), false)
	for passes := 0; r.s.Current(0) == 0; passes++ {
		if passes == posted {
			t.Fatal("no pass ever finds something to run")
		}
		r.s.Pass(0, r.now, &r.a)
	}
	r.want("what was posted and is left", uint32(r.s.Posted(0, nil)+r.s.Queued(0, nil)), uint32(posted-1))
}

func TestNoPassLeavesAContextBehind(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	ids := r.pinned(0, 3*passBudget)
	m := only(1)
	for _, id := range ids {
		r.s.SetMask(1, r.now, id, &m, &r.a)
	}
	for range len(ids) {
		r.s.Pass(0, r.now, &r.a)
	}
	for _, id := range ids {
		r.want("the home of one that must leave", r.home(id), cpu.ID(1))
	}
}

// pinned makes n threads that may run on c alone wait there behind another one.
func (r *rig) pinned(c cpu.ID, n int) []process.ContextID {
	r.t.Helper()
	r.start(c, process.Fair)
	var ids []process.ContextID
	for range n {
		ids = append(ids, r.pin(c, process.Fair, cpu.None))
		r.s.Pass(c, r.now, &r.a)
	}
	return ids
}

// The heap at its worst: n deadlines in any order, taken one by one.
func TestAlarmsVisitFewNodesInTheWorstCase(t *testing.T) {
	orders := map[string]func(i int) time.Duration{
		"equal":      func(int) time.Duration { return 5 },
		"ascending":  func(i int) time.Duration { return time.Duration(i) },
		"descending": func(i int) time.Duration { return time.Duration(-i) },
		"alternate":  func(i int) time.Duration { return time.Duration(i * (1 - i&1*2)) },
	}
	for name, at := range orders {
		t.Run(name, func(t *testing.T) {
			s := new(Scheduler)
			few := func(what string) {
				if n := s.Steps(0); n > removeSteps {
					t.Fatalf("%s visited %d nodes, at most %d are allowed", what, n, removeSteps)
				}
				s.locals[0].steps = 0
			}
			for i := range process.MaxContexts {
				s.arm(0, process.ContextID(i+1), at(i))
				few("setting one")
			}
			for i := 1; i <= process.MaxContexts; i += 3 {
				s.disarm(0, process.ContextID(i))
				few("cancelling one")
				if i%100 == 1 {
					sound(t, s)
				}
			}
			for s.locals[0].alarms.root != 0 {
				s.disarm(0, s.locals[0].alarms.root)
				few("taking the earliest")
			}
		})
	}
}

// sound checks the heap of CPU 0, whose contexts were never started.
func sound(t *testing.T, s *Scheduler) {
	t.Helper()
	for id := process.ContextID(1); id <= process.MaxContexts; id++ {
		s.Table.Context(id).SetHome(0)
	}
	if rule := s.brokenAlarms(0); rule != "" {
		t.Fatal(rule)
	}
}
