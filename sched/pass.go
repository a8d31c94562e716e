package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// Pass ends a kernel entry of c: it takes what was posted, gives away what another
// CPU can run at once, and returns the context to resume, 0 for none, and the time
// at which the one-shot alarm must fire, negative for none. With none to resume,
// call EnterIdle. Thousands may be posted at once: what is beyond the budget is left
// to the next pass, for which the alarm is now.
func (s *Scheduler) Pass(c cpu.ID, now time.Duration, a *Actions) (next process.ContextID, alarm time.Duration) {
	h, l := &s.handles[c], &s.locals[c]
	h.heard.Store(int64(now))
	l.budget, l.tries = max(passBudget-expiryCost*int32(l.expired)-wakeCost*int32(l.woke), minBudget), maxTries
	l.expired, l.woke = 0, 0
	s.lapse(c, now)
	s.forgive(l, now) // before what is posted joins it
	for look := 1; ; look++ {
		h.answer()
		s.recall(c, now, a)
		s.takeRequests(c, now, a)
		s.takeInbox(c, now, a)
		s.settle(c, now, a)
		again := s.balance(c, now, a)
		if s.turnOver(c, now, a) && !again {
			again = s.balance(c, now, a)
		}
		s.publish(c)
		alarm = s.nextAlarm(c, now, again)
		switch {
		case l.unfinished():
			return l.current, now
		case !h.mail(): // after publish: pairs with ring
			return l.current, alarm
		case look == maxLooks || l.budget <= 0:
			return l.current, now
		}
	}
}

// settle has the band run on c whose turn it is: the current context goes on if it is
// of that band.
func (s *Scheduler) settle(c cpu.ID, now time.Duration, a *Actions) {
	l := &s.locals[c]
	s.useShare(c, now)
	b := s.bandToRun(l, now)
	if l.current != 0 && s.nodes[l.current].band != b {
		s.suspend(c, now, a)
	}
	for l.current == 0 && b < bands {
		id := l.queues[b].root
		if !s.mustLeave(c, id) || !s.relocate(c, now, id, a) {
			s.dispatch(c, now, id, a)
			break
		}
		if l.budget <= 0 {
			break // EnterIdle sees that something waits
		}
		b = s.bandToRun(l, now)
	}
	s.renewShares(l, now)
}

// suspend makes c's current context wait for another band. It keeps its place and the
// rest of its slice.
func (s *Scheduler) suspend(c cpu.ID, now time.Duration, a *Actions) {
	l := &s.locals[c]
	id := l.current
	if s.sliceOver(l, now) {
		s.endTurn(c, now, id)
		s.giveUp(c, id, a)
		s.enqueue(c, id)
		return
	}
	s.nodes[id].left = max(l.sliceEnd-now, 1)
	s.giveUp(c, id, a)
	s.enqueueAgain(c, id)
}

// turnOver lets the next one of its band run if the current context's slice has ended
// or one that arrived is due. It comes after the balance, so that what can run
// elsewhere at once does, and not what runs here.
func (s *Scheduler) turnOver(c cpu.ID, now time.Duration, a *Actions) (changed bool) {
	l := &s.locals[c]
	id := l.current
	if id == 0 || !s.sliceOver(l, now) && !s.due(l, now) {
		return false
	}
	s.endTurn(c, now, id)
	if s.beginAgain(l, now, id) {
		return false
	}
	s.giveUp(c, id, a)
	s.enqueue(c, id)
	s.settle(c, now, a)
	return true
}

// giveUp makes c's current context a Ready one; the caller queues it.
func (s *Scheduler) giveUp(c cpu.ID, id process.ContextID, a *Actions) {
	l := &s.locals[c]
	s.requeue(c, id)
	l.current, l.arrived = 0, false
	s.count(c, Preemptions)
	a.note(EventPreempt, 0, id, c, c)
}

// sliceOver reports whether the current context must let another one of its band run.
func (s *Scheduler) sliceOver(l *local, now time.Duration) bool {
	return now >= l.sliceEnd && l.shared(s.nodes[l.current].band)
}

// dispatch makes id, which waits first in its band on c, its current context.
func (s *Scheduler) dispatch(c cpu.ID, now time.Duration, id process.ContextID, a *Actions) {
	l := &s.locals[c]
	s.dequeue(c, id)
	s.change(id, process.Ready, process.Running)
	s.handles[c].dropLoad(s.nodes[id].band)
	l.current, l.blocked, l.arrived = id, 0, false
	l.accounted = now
	s.beginTurn(l, now, id)
	s.count(c, Dispatches)
	a.note(EventDispatch, 0, id, c, c)
}

// urgent reports whether a context of a more urgent band than b waits.
func (l *local) urgent(b band) bool {
	for i := band(0); i < b; i++ {
		if l.queues[i].root != 0 {
			return true
		}
	}
	return false
}

// shared reports whether contexts of band b take turns with the current one.
// Real-time ones do not: the first to come runs until it waits.
func (l *local) shared(b band) bool {
	return b != bandRealTime && l.queues[b].root != 0
}

// slicing reports whether the current context's slice has an alarm.
func (s *Scheduler) slicing(l *local) bool {
	return l.current != 0 && l.shared(s.nodes[l.current].band)
}

// nextAlarm returns when c's one-shot must fire, negative for never.
func (s *Scheduler) nextAlarm(c cpu.ID, now time.Duration, again bool) time.Duration {
	l := &s.locals[c]
	at := time.Duration(-1)
	if root := l.alarms.root; root != 0 {
		at = s.deadline(root)
	}
	if s.slicing(l) {
		at = sooner(at, l.sliceEnd)
	}
	if l.partner != 0 {
		at = sooner(at, l.partnerUntil)
	}
	at = s.nextShare(l, now, at)
	if again {
		at = sooner(at, now+pushGap)
	}
	return at
}

// sooner returns the earlier of an alarm that may be negative, for none, and one
// that is not.
func sooner(at, other time.Duration) time.Duration {
	if at < 0 || other < at {
		return other
	}
	return at
}
