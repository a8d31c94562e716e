package sched

import (
	"hearth/cpu"
	"hearth/process"
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

// takeInbox moves what was posted to c into its run queue, in the order of posting,
// as far as the pass's budget goes. A context that may not run here (its mask
// changed on the way) goes on to where it may.
func (s *Scheduler) takeInbox(c cpu.ID, now time.Duration, a *Actions) {
	l := &s.locals[c]
	for l.budget > 0 && (l.arriving != 0 || s.fetch(c)) {
		id := l.arriving
		n := &s.nodes[id]
		l.arriving = n.posted
		s.spend(c, 1)
		s.change(id, process.InTransit, process.Ready)
		if n.flags&flagArmed != 0 {
			s.spend(c, 1)
			s.disarm(c, id)
		}
		// The mask is read after the change to Ready: pairs with SetMask, which reads
		// the state after it wrote the mask.
		if !s.arrive(c, now, id) {
			s.relocate(c, now, id, a)
		}
	}
}

// fetch takes all that was posted, newest first, and turns it round, which may take
// more than one pass. False: there is nothing, or it is not yet turned.
func (s *Scheduler) fetch(c cpu.ID) bool {
	l, inbox := &s.locals[c], &s.handles[c].inbox
	if l.turning == 0 {
		if inbox.Load() == 0 {
			return false
		}
		l.turning = process.ContextID(inbox.Swap(0)) // pairs with the compare-and-swap in post
	}
	for links := 1; l.turning != 0; links++ {
		if links%linksAUnit == 0 {
			if s.spend(c, 1); l.budget <= 0 {
				return false
			}
		}
		s.step(c)
		id := l.turning
		l.turning = s.nodes[id].posted
		s.nodes[id].posted = l.turned
		l.turned = id
	}
	l.arriving, l.turned = l.turned, 0
	return true
}

// unfinished reports whether the last pass left work that it had taken.
func (l *local) unfinished() bool {
	return l.turning != 0 || l.arriving != 0 || l.checking != 0 || l.calling != 0
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

// takeRequests looks again at contexts in c's requests: what may not run here
// leaves. One that has moved on in the meantime is asked of its new home. Half of
// the budget is left to the inbox.
func (s *Scheduler) takeRequests(c cpu.ID, now time.Duration, a *Actions) {
	l := &s.locals[c]
	rest := l.budget / 2
	for l.budget > rest && (l.checking != 0 || s.fetchRequests(c)) {
		id := l.checking
		n := &s.nodes[id]
		l.checking = n.asked
		s.spend(c, 1)
		if home := s.Table.Context(id).Home(); home != c && home != cpu.None {
			s.putRequest(home, id)
			s.ring(c, now, home, always, KickMask, a)
		} else {
			n.asking.Store(0) // before the mask is read: pairs with ask
			s.review(c, now, id, a)
		}
	}
	// However many requests wait, what runs obeys at once.
	if id := l.current; id != 0 && s.mustLeave(c, id) {
		s.evict(c, now, a)
	}
}

func (s *Scheduler) fetchRequests(c cpu.ID) bool {
	requests := &s.handles[c].requests
	if requests.Load() == 0 {
		return false
	}
	s.locals[c].checking = process.ContextID(requests.Swap(0)) // pairs with the compare-and-swap in putRequest
	return true
}

// mustLeave reports whether id, whose home is c, has to be sent away now: c is
// offline, or a request is under way that will find that id may not run here.
func (s *Scheduler) mustLeave(c cpu.ID, id process.ContextID) bool {
	return !s.online.has(c) || s.nodes[id].asking.Load() != 0 && !s.mayRun(id, c)
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
