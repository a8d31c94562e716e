package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// Wake sends the blocked context id, which the caller took off what it waited for,
// to its home.
func (s *Scheduler) Wake(c cpu.ID, now time.Duration, id process.ContextID, a *Actions) {
	x := s.Table.Context(id)
	home := x.Home() // read before the change: afterwards only the home may move it
	s.meet(c, now, id, home)
	s.handles[home].addLoad(bandOf(x.Class()))
	s.change(id, process.Blocked, process.InTransit)
	a.note(EventWake, 0, id, c, home)
	s.count(c, Wakes)
	s.locals[c].woke++
	if home == c {
		s.count(c, WakesLocal)
	}
	s.send(c, now, id, a)
}

// Block ends the turn of c's current context: it waits, at most until deadline if
// that is not negative. Call it before the wait is published where a waker can find
// it. No context runs on c until the next Pass.
func (s *Scheduler) Block(c cpu.ID, now, deadline time.Duration) {
	l := &s.locals[c]
	id := l.running()
	s.endTurn(c, now, id)
	l.current, l.blocked = 0, id
	if deadline >= 0 {
		s.arm(c, id, deadline)
	}
	s.change(id, process.Running, process.Blocked)
}

// Unblock takes back the Block that came last on c, before anybody has seen the
// wait: the context runs on.
func (s *Scheduler) Unblock(c cpu.ID) {
	l := &s.locals[c]
	id := l.blocked
	if id == 0 || l.current != 0 {
		panic(&faultUnblock)
	}
	s.change(id, process.Blocked, process.Running)
	if s.nodes[id].flags&flagArmed != 0 {
		s.disarm(c, id)
	}
	s.nodes[id].links[byTurn].key -= l.charged
	l.current, l.blocked = id, 0
}

// Yield sends c's current context behind the others of its class; no context runs
// on c until the next Pass.
func (s *Scheduler) Yield(c cpu.ID, now time.Duration) {
	l := &s.locals[c]
	id := l.running()
	s.endTurn(c, now, id)
	s.stepBack(c, id)
	l.current = 0
	s.requeue(c, id)
	s.enqueue(c, id)
}

// requeue makes the context that ran on c a Ready one, which counts as load again.
func (s *Scheduler) requeue(c cpu.ID, id process.ContextID) {
	s.change(id, process.Running, process.Ready)
	s.handles[c].addLoad(bandOf(s.Table.Context(id).Class()))
}

// Exit ends c's current context; it has no home any more. The caller frees it.
func (s *Scheduler) Exit(c cpu.ID, now time.Duration) {
	l := &s.locals[c]
	id := l.running()
	s.useShare(c, now)
	l.current = 0
	s.setHome(id, cpu.None)
	s.change(id, process.Running, process.Exited)
}

// running returns the current context, which there must be.
func (l *local) running() process.ContextID {
	if l.current == 0 {
		panic(&faultNoCurrent)
	}
	return l.current
}
