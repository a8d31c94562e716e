package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// alarms is a CPU's set of deadlines: a pairing heap of nodes, linked by index. A
// new or cancelled alarm, by far the commonest, costs a few writes; only taking the
// earliest one walks, and never by recursion.
type alarms struct {
	root process.ContextID
	set  uint32 // alarms set so far: orders equal deadlines by age
}

// alarm is a node's place in its CPU's heap. Children of one parent form a list.
type alarm struct {
	at     time.Duration
	age    uint32
	child  process.ContextID // the first of its children, all of them later
	next   process.ContextID // the next child of its parent
	before process.ContextID // the child before it or, for the first, the parent
}

// arm sets id's alarm on c.
func (s *Scheduler) arm(c cpu.ID, id process.ContextID, at time.Duration) {
	n := &s.nodes[id]
	if n.flags&flagArmed != 0 {
		panic(&faultArmed)
	}
	n.flags |= flagArmed
	q := &s.locals[c].alarms
	q.set++
	n.alarm = alarm{at: at, age: q.set}
	q.root = s.meld(q.root, id)
}

// disarm cancels id's alarm on c.
func (s *Scheduler) disarm(c cpu.ID, id process.ContextID) {
	n := &s.nodes[id]
	q := &s.locals[c].alarms
	rest := s.meldChildren(n.alarm.child)
	if q.root == id {
		q.root = rest
	} else {
		s.unlink(id)
		q.root = s.meld(q.root, rest)
	}
	n.alarm = alarm{}
	n.flags &^= flagArmed
}

// unlink takes id, which has a parent, out of its parent's children.
func (s *Scheduler) unlink(id process.ContextID) {
	n := &s.nodes[id].alarm
	if before := &s.nodes[n.before].alarm; before.child == id {
		before.child = n.next
	} else {
		before.next = n.next
	}
	if n.next != 0 {
		s.nodes[n.next].alarm.before = n.before
	}
	n.next, n.before = 0, 0
}

// meld makes one heap of two, whose roots have no siblings, and returns its root.
func (s *Scheduler) meld(x, y process.ContextID) process.ContextID {
	switch {
	case x == 0:
		return y
	case y == 0:
		return x
	case s.earlier(y, x):
		x, y = y, x
	}
	root, sub := &s.nodes[x].alarm, &s.nodes[y].alarm
	sub.next, sub.before = root.child, x
	if root.child != 0 {
		s.nodes[root.child].alarm.before = y
	}
	root.child = y
	return x
}

// earlier orders alarms by deadline and, of equal ones, the older first.
func (s *Scheduler) earlier(x, y process.ContextID) bool {
	a, b := &s.nodes[x].alarm, &s.nodes[y].alarm
	return a.at < b.at || a.at == b.at && int32(a.age-b.age) < 0
}

// meldChildren makes one heap of a list of children: first in pairs, then the pairs
// from last to first, which keeps later calls short.
func (s *Scheduler) meldChildren(first process.ContextID) process.ContextID {
	pairs := process.ContextID(0) // latest pair first, linked through next
	for first != 0 {
		x := first
		y := s.nodes[x].alarm.next
		first = 0
		if y != 0 {
			first = s.nodes[y].alarm.next
			s.release(y)
		}
		s.release(x)
		pair := s.meld(x, y)
		s.nodes[pair].alarm.next = pairs
		pairs = pair
	}
	root := process.ContextID(0)
	for pairs != 0 {
		next := s.nodes[pairs].alarm.next
		s.release(pairs)
		root = s.meld(root, pairs)
		pairs = next
	}
	return root
}

// release makes a child a root of its own.
func (s *Scheduler) release(id process.ContextID) {
	n := &s.nodes[id].alarm
	n.next, n.before = 0, 0
}

// Expired takes the earliest due alarm of a context that is still blocked on c from
// c's alarms; 0 if none is due. The caller takes that context off what it waits
// for, and if it was still there, wakes it.
func (s *Scheduler) Expired(c cpu.ID, now time.Duration) process.ContextID {
	q := &s.locals[c].alarms
	for q.root != 0 && s.nodes[q.root].alarm.at <= now {
		id := q.root
		s.disarm(c, id)
		if s.Table.Context(id).State() == process.Blocked {
			return id
		}
	}
	return 0
}
