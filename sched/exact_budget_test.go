package sched

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// taken is how many of what was posted to CPU 0 its next pass takes.
func (r *rig) taken() int {
	before := r.s.Queued(0, nil)
	next, _ := r.s.Pass(0, r.now, &r.a)
	if next == 0 {
		r.t.Fatal("CPU 0 runs nothing")
	}
	return r.s.Queued(0, nil) - before + 1
}

// postMany sends n threads to CPU 0, which runs nothing and is awake.
func (r *rig) postMany(n int) {
	for range n {
		r.pin(0, process.Fair, 1)
	}
	r.s.LeaveIdle(0, r.now)
}

func TestAPassTakesExactlyItsBudget(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	r.postMany(linksAUnit - 1)
	r.want("contexts taken", r.taken(), passBudget)
}

func TestTurningAnInboxRoundIsPaid(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	r.postMany(linksAUnit)
	r.want("contexts taken, with one unit for the links", r.taken(), passBudget-1)
}

func TestCancellingAnAlarmIsPaid(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	for _, id := range r.blocked(0, 2*passBudget, r.now+Slice) {
		m := only(0)
		r.s.Table.Context(id).SetMask(&m)
		r.s.Wake(1, r.now, id, &r.a)
	}
	r.s.LeaveIdle(0, r.now)
	r.want("contexts taken, each with an alarm to cancel", r.taken(), passBudget/2)
}

func TestRequestsLeaveHalfOfTheBudgetToTheInbox(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	others := r.pinned(0, 4*passBudget)
	m := only(0)
	for _, id := range others {
		r.s.SetMask(1, r.now, id, &m, &r.a)
	}
	r.s.Pass(0, r.now, &r.a)
	waiting := 0
	for _, id := range others {
		if r.s.nodes[id].asking.Load() != 0 {
			waiting++
		}
	}
	r.want("requests looked at", len(others)-waiting, passBudget/2)
}

// What an entry has done before its pass is paid out of the pass: here, wakes of
// threads elsewhere. However many there were, something is left for what was posted.
func TestWakesArePaidByThePassOfTheirEntry(t *testing.T) {
	for _, c := range []struct{ wakes, taken int }{
		{1, passBudget - 1}, {3, passBudget - 3}, {passBudget - 2, 2}, {passBudget - 1, 2}, {3 * passBudget, 2},
	} {
		r := newRig(t, shape(t, "L(1,1)"))
		waiting := r.blocked(1, c.wakes, -1)
		r.postMany(linksAUnit - 1)
		for _, id := range waiting {
			r.s.Wake(0, r.now, id, &r.a)
		}
		r.want(fmt.Sprintf("contexts taken after %d wakes", c.wakes), r.taken(), c.taken)
	}
}

func TestExpiredAlarmsArePaidByThePassOfTheirEntry(t *testing.T) {
	for _, c := range []struct{ alarms, taken int }{{1, passBudget - 2}, {2, passBudget - 4}, {3, 2}} {
		r := newRig(t, shape(t, "L(1,1)"))
		r.blocked(0, c.alarms, r.now+Slice)
		r.start(1, process.Fair)
		r.postMany(linksAUnit - 1)
		r.now += Slice
		for range c.alarms {
			if id, _ := r.s.Expired(0, r.now); id == 0 {
				t.Fatal("no alarm is due")
			}
		}
		r.want(fmt.Sprintf("contexts taken after %d alarms", c.alarms), r.taken(), c.taken)
	}
}

// blocked starts n threads on c that wait there, at most until deadline.
func (r *rig) blocked(c cpu.ID, n int, deadline time.Duration) (ids []process.ContextID) {
	r.t.Helper()
	for range n {
		ids = append(ids, r.start(c, process.Fair))
		r.s.Block(c, r.now, deadline)
		r.enter(c)
	}
	return ids
}
