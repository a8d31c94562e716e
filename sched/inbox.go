package sched

import (
	"hearth/cpu"
	"hearth/process"
	"sync/atomic"
	"time"
)

// post puts id, InTransit to c and counted in its load, into c's inbox. The caller
// rings afterwards.
//
// The compare-and-swap publishes the link, and all that was written to the context,
// to the swap in takeInbox. A head that left and came back does no harm: the link
// is right whenever the head is the one that it names.
func (s *Scheduler) post(c cpu.ID, id process.ContextID) {
	inbox := &s.handles[c].inbox
	for {
		head := inbox.Load()
		s.nodes[id].posted = process.ContextID(head)
		if inbox.CompareAndSwap(head, uint32(id)) {
			return
		}
	}
}

// drainLimit bounds what one look takes from an inbox: thousands may be posted at
// once, and a kernel entry must be short.
const drainLimit = 32

// takeInbox moves what was posted to c into its run queue, in the order of posting.
// What is beyond drainLimit stays in arriving for the next look. A context that may
// not run here (its mask changed on the way) goes on to where it may.
func (s *Scheduler) takeInbox(c cpu.ID, now time.Duration, a *Actions) {
	l := &s.locals[c]
	if l.arriving == 0 {
		l.arriving = s.oldestFirst(&s.handles[c].inbox)
	}
	for taken := 0; l.arriving != 0 && taken < drainLimit; taken++ {
		id := l.arriving
		n := &s.nodes[id]
		l.arriving = n.posted
		s.change(id, process.InTransit, process.Ready)
		if n.flags&flagArmed != 0 {
			s.disarm(c, id)
		}
		n.left = Slice
		// The mask is read after the change to Ready: pairs with SetMask, which reads
		// the state after it wrote the mask.
		if !s.enqueue(c, id) {
			s.relocate(c, now, id, a)
		}
	}
}

// oldestFirst takes the whole list and turns it round.
func (s *Scheduler) oldestFirst(list *atomic.Uint32) process.ContextID {
	if list.Load() == 0 {
		return 0
	}
	newest := process.ContextID(list.Swap(0)) // pairs with the compare-and-swap in post
	oldest := process.ContextID(0)
	for newest != 0 {
		next := s.nodes[newest].posted
		s.nodes[newest].posted = oldest
		oldest, newest = newest, next
	}
	return oldest
}

// ask has the owner of id look at its mask again. One request at a time is enough.
func (s *Scheduler) ask(c cpu.ID, id process.ContextID) {
	n := &s.nodes[id]
	// Pairs with the store in takeRequests: if it is still 1, the owner has not yet
	// read the mask, which was written before.
	if !n.asking.CompareAndSwap(0, 1) {
		return
	}
	s.putRequest(c, id)
}

func (s *Scheduler) putRequest(c cpu.ID, id process.ContextID) {
	requests := &s.handles[c].requests
	for {
		head := requests.Load()
		s.nodes[id].asked = process.ContextID(head)
		if requests.CompareAndSwap(head, uint32(id)) { // pairs with the swap in takeRequests
			return
		}
	}
}

// takeRequests looks again at each context in c's requests: what may not run here
// leaves. One that has moved on in the meantime is asked of its new home.
func (s *Scheduler) takeRequests(c cpu.ID, now time.Duration, a *Actions) {
	requests := &s.handles[c].requests
	if requests.Load() == 0 {
		return
	}
	id := process.ContextID(requests.Swap(0)) // pairs with the compare-and-swap in putRequest
	for id != 0 {
		n := &s.nodes[id]
		next := n.asked
		if home := s.Table.Context(id).Home(); home != c && home != cpu.None {
			s.putRequest(home, id)
			s.ring(c, now, home, always, KickMask, a)
		} else {
			n.asking.Store(0) // before the mask is read: pairs with ask
			s.review(c, now, id, a)
		}
		id = next
	}
}

// review obeys the mask of id, whose home is c. In transit or blocked it is left to
// the drain that follows.
func (s *Scheduler) review(c cpu.ID, now time.Duration, id process.ContextID, a *Actions) {
	switch {
	case s.locals[c].current == id:
		if !s.mayRun(id, c) {
			s.evict(c, now, a)
		}
	case s.nodes[id].flags&flagQueued != 0:
		if !s.mark(c, id) {
			s.relocate(c, now, id, a)
		}
	}
}
