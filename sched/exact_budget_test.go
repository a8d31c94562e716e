package sched

import (
	"hearth/process"
	"testing"
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
	var ids []process.ContextID
	for range 2 * passBudget {
		id := r.start(0, process.Fair)
		r.s.Block(0, r.now, r.now+Slice)
		r.enter(0)
		ids = append(ids, id)
	}
	for _, id := range ids {
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
