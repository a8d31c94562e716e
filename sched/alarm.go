package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// alarms is a CPU's set of deadlines: a leftist heap of nodes, linked by index. Every
// path to the right is short, so setting, cancelling and taking the earliest each
// visit a number of nodes that is logarithmic in the worst case, not on average only:
// what thousands that sleep to one moment cost is known beforehand.
type alarms struct {
	root process.ContextID
	set  uint32 // alarms set so far: orders equal deadlines by age
}

// alarm is a node's place in its CPU's heap.
type alarm struct {
	at     time.Duration
	age    uint32
	parent process.ContextID
	left   process.ContextID // both children are later
	right  process.ContextID
	rank   uint8 // nodes on the path to the right, itself included; not above left's
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
	n.alarm = alarm{at: at, age: q.set, rank: 1}
	q.root = s.meld(c, q.root, id)
}

// disarm cancels id's alarm on c.
func (s *Scheduler) disarm(c cpu.ID, id process.ContextID) {
	n := &s.nodes[id]
	parent := n.alarm.parent
	s.under(n.alarm.left, 0)
	s.under(n.alarm.right, 0)
	rest := s.meld(c, n.alarm.left, n.alarm.right)
	s.under(rest, parent)
	switch p := &s.nodes[parent].alarm; {
	case parent == 0:
		s.locals[c].alarms.root = rest
	case p.left == id:
		p.left = rest
	default:
		p.right = rest
	}
	s.level(c, parent)
	n.alarm = alarm{}
	n.flags &^= flagArmed
}

// under makes parent the parent of id, or with 0 id a root. Node 0 stands for none
// on every CPU and is never written.
func (s *Scheduler) under(id, parent process.ContextID) {
	if id != 0 {
		s.nodes[id].alarm.parent = parent
	}
}

// meld makes one heap of two, given by their roots, and returns its root: the two
// paths to the right become one, earliest first.
func (s *Scheduler) meld(c cpu.ID, x, y process.ContextID) process.ContextID {
	root, last := process.ContextID(0), process.ContextID(0)
	for x != 0 || y != 0 {
		if x == 0 || y != 0 && s.earlier(y, x) {
			x, y = y, x
		}
		s.step(c)
		s.nodes[x].alarm.parent = last
		if last == 0 {
			root = x
		} else {
			s.nodes[last].alarm.right = x
		}
		last = x
		if y == 0 {
			break // what is below x is as it was
		}
		x = s.nodes[x].alarm.right
	}
	for last != 0 {
		s.balanceNode(c, last)
		last = s.nodes[last].alarm.parent
	}
	return root
}

// level restores the ranks from id upwards, as far as they change. A changed rank
// is larger at each step up, so that there are few.
func (s *Scheduler) level(c cpu.ID, id process.ContextID) {
	for id != 0 && s.balanceNode(c, id) {
		id = s.nodes[id].alarm.parent
	}
}

// balanceNode puts the shorter path to id's right and reports whether id's rank
// changed.
func (s *Scheduler) balanceNode(c cpu.ID, id process.ContextID) bool {
	s.step(c)
	n := &s.nodes[id].alarm
	if s.nodes[n.left].alarm.rank < s.nodes[n.right].alarm.rank {
		n.left, n.right = n.right, n.left
	}
	rank := s.nodes[n.right].alarm.rank + 1
	changed := rank != n.rank
	n.rank = rank
	return changed
}

// earlier orders alarms by deadline and, of equal ones, the older first.
func (s *Scheduler) earlier(x, y process.ContextID) bool {
	a, b := &s.nodes[x].alarm, &s.nodes[y].alarm
	return a.at < b.at || a.at == b.at && int32(a.age-b.age) < 0
}

// Expired takes c's earliest alarm if it is due. id is its context if that is still
// blocked: the caller takes it off what it waits for and, if it was still there,
// wakes it; 0 if a waker was faster. False: none is due. A kernel entry that leaves
// some that are due gets another one at once, by the alarm of its Pass.
func (s *Scheduler) Expired(c cpu.ID, now time.Duration) (id process.ContextID, due bool) {
	id = s.locals[c].alarms.root
	if id == 0 || s.nodes[id].alarm.at > now {
		return 0, false
	}
	s.locals[c].expired++
	s.disarm(c, id)
	if s.Table.Context(id).State() != process.Blocked {
		return 0, true
	}
	return id, true
}
