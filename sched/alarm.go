package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// arm sets id's alarm on c.
func (s *Scheduler) arm(c cpu.ID, id process.ContextID, at time.Duration) {
	n := &s.nodes[id]
	if n.flags&flagArmed != 0 {
		panic(&faultArmed)
	}
	n.flags |= flagArmed
	n.links[byDeadline].key = int64(at)
	s.add(c, &s.locals[c].alarms, byDeadline, id)
}

// disarm cancels id's alarm on c.
func (s *Scheduler) disarm(c cpu.ID, id process.ContextID) {
	s.remove(c, &s.locals[c].alarms, byDeadline, id)
	s.nodes[id].flags &^= flagArmed
}

// deadline returns when id's alarm is due.
func (s *Scheduler) deadline(id process.ContextID) time.Duration {
	return time.Duration(s.nodes[id].links[byDeadline].key)
}

// Expired takes c's earliest alarm if it is due. id is its context if that is still
// blocked: the caller takes it off what it waits for and, if it was still there,
// wakes it; 0 if a waker was faster. False: none is due. A kernel entry that leaves
// some that are due gets another one at once, by the alarm of its Pass.
func (s *Scheduler) Expired(c cpu.ID, now time.Duration) (id process.ContextID, due bool) {
	id = s.locals[c].alarms.root
	if id == 0 || s.deadline(id) > now {
		return 0, false
	}
	s.locals[c].expired++
	s.disarm(c, id)
	if s.Table.Context(id).State() != process.Blocked {
		return 0, true
	}
	return id, true
}
