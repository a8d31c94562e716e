package sched

import (
	"hearth/cpu"
	"hearth/process"
)

// heap is an ordered set of a CPU's contexts: a leftist heap of nodes, linked by
// index. Every path to the right is short, so adding, removing and taking the first
// each visit a number of nodes that is logarithmic in the worst case, not on average
// only: what thousands with one key cost is known beforehand.
type heap struct {
	root  process.ContextID
	added uint32 // nodes added so far: orders equal keys by age
}

// link is a node's place in a heap. What it says of order stays when the node leaves,
// so that it can be put back where it was.
type link struct {
	key    int64
	age    uint32
	parent process.ContextID
	left   process.ContextID // both children are later
	right  process.ContextID
	rank   uint8 // nodes on the path to the right, itself included; not above left's
}

// kind says which of a node's links a heap uses: a context may be in one heap of
// each kind at a time.
type kind uint8

const (
	byDeadline kind = iota // alarms
	byTurn                 // a band of the run queue

	kinds
)

// add puts id, whose key is set, into h, a heap of c: behind those with an equal key.
func (s *Scheduler) add(c cpu.ID, h *heap, k kind, id process.ContextID) {
	h.added++
	s.nodes[id].links[k].age = h.added
	s.putBack(c, h, k, id)
}

// putBack puts id into h in the order that its key and its old age give.
func (s *Scheduler) putBack(c cpu.ID, h *heap, k kind, id process.ContextID) {
	n := &s.nodes[id].links[k]
	n.parent, n.left, n.right, n.rank = 0, 0, 0, 1
	h.root = s.meld(c, k, h.root, id)
}

// remove takes id out of h, a heap of c, wherever it stands.
func (s *Scheduler) remove(c cpu.ID, h *heap, k kind, id process.ContextID) {
	n := &s.nodes[id].links[k]
	parent := n.parent
	s.under(k, n.left, 0)
	s.under(k, n.right, 0)
	rest := s.meld(c, k, n.left, n.right)
	s.under(k, rest, parent)
	switch p := &s.nodes[parent].links[k]; {
	case parent == 0:
		h.root = rest
	case p.left == id:
		p.left = rest
	default:
		p.right = rest
	}
	s.level(c, k, parent)
	n.parent, n.left, n.right, n.rank = 0, 0, 0, 0
}

// under makes parent the parent of id, or with 0 id a root. Node 0 stands for none
// on every CPU and is never written.
func (s *Scheduler) under(k kind, id, parent process.ContextID) {
	if id != 0 {
		s.nodes[id].links[k].parent = parent
	}
}

// meld makes one heap of two, given by their roots, and returns its root: the two
// paths to the right become one, earliest first.
func (s *Scheduler) meld(c cpu.ID, k kind, x, y process.ContextID) process.ContextID {
	root, last := process.ContextID(0), process.ContextID(0)
	for x != 0 || y != 0 {
		if x == 0 || y != 0 && s.earlier(k, y, x) {
			x, y = y, x
		}
		s.step(c)
		s.nodes[x].links[k].parent = last
		if last == 0 {
			root = x
		} else {
			s.nodes[last].links[k].right = x
		}
		last = x
		if y == 0 {
			break // what is below x is as it was
		}
		x = s.nodes[x].links[k].right
	}
	for last != 0 {
		s.balanceNode(c, k, last)
		last = s.nodes[last].links[k].parent
	}
	return root
}

// level restores the ranks from id upwards, as far as they change. A changed rank
// is larger at each step up, so that there are few.
func (s *Scheduler) level(c cpu.ID, k kind, id process.ContextID) {
	for id != 0 && s.balanceNode(c, k, id) {
		id = s.nodes[id].links[k].parent
	}
}

// balanceNode puts the shorter path to id's right and reports whether id's rank
// changed.
func (s *Scheduler) balanceNode(c cpu.ID, k kind, id process.ContextID) bool {
	s.step(c)
	n := &s.nodes[id].links[k]
	if s.nodes[n.left].links[k].rank < s.nodes[n.right].links[k].rank {
		n.left, n.right = n.right, n.left
	}
	rank := s.nodes[n.right].links[k].rank + 1
	changed := rank != n.rank
	n.rank = rank
	return changed
}

// earlier orders nodes by key and, of equal ones, the older first. Both wrap round:
// differences count.
func (s *Scheduler) earlier(k kind, x, y process.ContextID) bool {
	a, b := &s.nodes[x].links[k], &s.nodes[y].links[k]
	return a.key-b.key < 0 || a.key == b.key && int32(a.age-b.age) < 0
}

// next returns the node behind id in a walk that meets every node of its heap after
// the node's parent, 0 behind the last one. The first n nodes take at most 2n steps.
func (s *Scheduler) next(k kind, id process.ContextID) process.ContextID {
	n := &s.nodes[id].links[k]
	if n.left != 0 {
		return n.left // there is none to the right of none
	}
	for parent := n.parent; parent != 0; id, parent = parent, n.parent {
		n = &s.nodes[parent].links[k]
		if n.left == id && n.right != 0 {
			return n.right
		}
	}
	return 0
}
