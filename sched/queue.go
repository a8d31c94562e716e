package sched

import (
	"hearth/cpu"
	"hearth/process"
)

// The run queue of a CPU is a heap for each band. Fair and background contexts stand
// in it by virtual time (fair.go), real-time ones, whose keys are all equal, in the
// order in which they came.

// enqueue puts the Ready context id into its band on c, behind those whose turn comes
// no later. Its load counts already. False: it may not run here.
func (s *Scheduler) enqueue(c cpu.ID, id process.ContextID) (mayStay bool) {
	n, mayStay := s.admit(c, id)
	l := &s.locals[c]
	q, latest, key := &l.queues[n.band], &l.latest[n.band], n.links[byTurn].key
	if q.root == 0 || key-*latest > 0 {
		*latest = key
	}
	s.add(c, q, byTurn, id)
	return mayStay
}

// enqueueAgain puts a preempted context back where it stood: its turn has not ended.
func (s *Scheduler) enqueueAgain(c cpu.ID, id process.ContextID) {
	n, _ := s.admit(c, id)
	s.putBack(c, &s.locals[c].queues[n.band], byTurn, id)
}

// admit begins id's stay in a queue of c.
func (s *Scheduler) admit(c cpu.ID, id process.ContextID) (n *node, mayStay bool) {
	n = &s.nodes[id]
	if n.flags&flagQueued != 0 {
		panic(&faultQueued)
	}
	n.flags |= flagQueued
	if n.band == bandRealTime {
		n.links[byTurn].key = 0
	}
	return n, s.mark(c, id)
}

// mark notes whether id, queued on c, may run elsewhere, and reports whether it may
// stay. What is offline counts as elsewhere: it may come back while id waits, and
// nobody looks at the queues then.
func (s *Scheduler) mark(c cpu.ID, id process.ContextID) (mayStay bool) {
	var m cpu.Mask
	s.homeland(id, &m)
	n, l := &s.nodes[id], &s.locals[c]
	l.discount(n)
	l.sought = false
	mayStay = m.Has(c) && s.online.has(c) || !s.online.intersects(&m) && s.mayRun(id, c)
	roams := s.roams(&m)
	m.Clear(c)
	if m.IsEmpty() {
		return mayStay
	}
	n.flags |= flagMovable
	l.movable++
	if roams {
		n.flags |= flagRoams
		l.roaming++
	}
	return mayStay
}

// discount takes back what mark noted of n.
func (l *local) discount(n *node) {
	if n.flags&flagMovable != 0 {
		l.movable--
	}
	if n.flags&flagRoams != 0 {
		l.roaming--
	}
	n.flags &^= flagMovable | flagRoams
}

// dequeue takes id out of c's run queue, wherever it stands in it.
func (s *Scheduler) dequeue(c cpu.ID, id process.ContextID) {
	n, l := &s.nodes[id], &s.locals[c]
	s.remove(c, &l.queues[n.band], byTurn, id)
	l.discount(n)
	n.flags &^= flagQueued
	if l.partner == id {
		l.partner = 0
	}
}

// first returns the context of the most urgent band that would run next on c, 0 if
// its run queue is empty.
func (l *local) first() process.ContextID {
	for b := range l.queues {
		if id := l.queues[b].root; id != 0 {
			return id
		}
	}
	return 0
}

// after returns another queued context, 0 behind the last one: from first on it meets
// each once, band by band, in a band none before all that must run earlier than it.
func (s *Scheduler) after(l *local, id process.ContextID) process.ContextID {
	if next := s.next(byTurn, id); next != 0 {
		return next
	}
	for b := s.nodes[id].band + 1; b < bands; b++ {
		if id := l.queues[b].root; id != 0 {
			return id
		}
	}
	return 0
}
