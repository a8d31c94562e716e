package sched

import (
	"hearth/cpu"
	"hearth/process"
)

// queue is one band of a CPU's run queue, linked through the nodes both ways, so
// that a migrating context leaves the middle at once.
type queue struct{ head, tail process.ContextID }

// enqueue puts the Ready context id at the tail of its band on c. Its load counts
// already. False: it may not run here.
func (s *Scheduler) enqueue(c cpu.ID, id process.ContextID) (mayStay bool) {
	n, mayStay := s.admit(c, id)
	q := &s.locals[c].queues[n.band]
	n.next, n.prev = 0, q.tail
	if q.tail == 0 {
		q.head = id
	} else {
		s.nodes[q.tail].next = id
	}
	q.tail = id
	return mayStay
}

// enqueueFirst puts a preempted context back at the head of its band.
func (s *Scheduler) enqueueFirst(c cpu.ID, id process.ContextID) {
	n, _ := s.admit(c, id)
	q := &s.locals[c].queues[n.band]
	n.next, n.prev = q.head, 0
	if q.head == 0 {
		q.tail = id
	} else {
		s.nodes[q.head].prev = id
	}
	q.head = id
}

// admit begins id's stay in a queue of c.
func (s *Scheduler) admit(c cpu.ID, id process.ContextID) (n *node, mayStay bool) {
	n = &s.nodes[id]
	if n.flags&flagQueued != 0 {
		panic(&faultQueued)
	}
	n.band = bandOf(s.Table.Context(id).Class())
	n.flags |= flagQueued
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
	n := &s.nodes[id]
	l := &s.locals[c]
	q := &l.queues[n.band]
	if n.prev == 0 {
		q.head = n.next
	} else {
		s.nodes[n.prev].next = n.next
	}
	if n.next == 0 {
		q.tail = n.prev
	} else {
		s.nodes[n.next].prev = n.prev
	}
	l.discount(n)
	n.next, n.prev = 0, 0
	n.flags &^= flagQueued
	if l.partner == id {
		l.partner = 0
	}
}

// first returns the context to run next on c, 0 if its run queue is empty.
func (l *local) first() process.ContextID {
	for b := range l.queues {
		if id := l.queues[b].head; id != 0 {
			return id
		}
	}
	return 0
}

// after returns the context behind id in the order in which they would run.
func (s *Scheduler) after(l *local, id process.ContextID) process.ContextID {
	if next := s.nodes[id].next; next != 0 {
		return next
	}
	for b := s.nodes[id].band + 1; b < bands; b++ {
		if id := l.queues[b].head; id != 0 {
			return id
		}
	}
	return 0
}
