package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// Slice is how long a context runs before it lets the next one of its class run.
const Slice = 4 * time.Millisecond

// Pass ends a kernel entry of c: it takes what was posted, gives away what another
// CPU can run at once, and returns the context to resume, 0 for none, and the time
// at which the one-shot alarm must fire, negative for none. With none to resume,
// call EnterIdle. Thousands may be posted at once: what is beyond the budget is left
// to the next pass, for which the alarm is now.
func (s *Scheduler) Pass(c cpu.ID, now time.Duration, a *Actions) (next process.ContextID, alarm time.Duration) {
	h, l := &s.handles[c], &s.locals[c]
	h.heard.Store(int64(now))
	l.budget, l.tries = max(passBudget-expiryCost*l.expired, 2), maxTries
	l.expired = 0
	s.lapse(c, now)
	for look := 1; ; look++ {
		h.answer()
		s.recall(c, now, a)
		s.takeRequests(c, now, a)
		s.takeInbox(c, now, a)
		s.settle(c, now, a)
		again := s.balance(c, now, a)
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

// settle decides which context c runs on: the current one, unless another is due.
func (s *Scheduler) settle(c cpu.ID, now time.Duration, a *Actions) {
	l := &s.locals[c]
	id := l.current
	if id != 0 {
		b := s.nodes[id].band
		switch {
		case l.urgent(b):
			s.nodes[id].left = max(l.sliceEnd-now, 0)
			s.requeue(c, id)
			s.enqueueFirst(c, id)
		case l.shared(b) && now >= l.sliceEnd:
			s.nodes[id].left = Slice
			s.requeue(c, id)
			s.enqueue(c, id)
		default:
			return
		}
		l.current = 0
		s.count(c, Preemptions)
		a.note(EventPreempt, 0, id, c, c)
	}
	for id = l.first(); id != 0; id = l.first() {
		if !s.mustLeave(c, id) || !s.relocate(c, now, id, a) {
			s.dispatch(c, now, id, a)
			return
		}
		if l.budget <= 0 {
			return // EnterIdle sees that something waits
		}
	}
}

// dispatch makes id, the first of c's run queue, its current context.
func (s *Scheduler) dispatch(c cpu.ID, now time.Duration, id process.ContextID, a *Actions) {
	l := &s.locals[c]
	s.dequeue(c, id)
	s.change(id, process.Ready, process.Running)
	s.handles[c].dropLoad(s.nodes[id].band)
	l.current, l.blocked = id, 0
	l.sliceEnd = now + s.nodes[id].left
	s.count(c, Dispatches)
	a.note(EventDispatch, 0, id, c, c)
}

// urgent reports whether a context of a more urgent band than b waits.
func (l *local) urgent(b band) bool {
	for i := band(0); i < b; i++ {
		if l.queues[i].head != 0 {
			return true
		}
	}
	return false
}

// shared reports whether contexts of band b take turns with the current one.
// Real-time ones do not: the first to come runs until it waits.
func (l *local) shared(b band) bool {
	return b != bandRealTime && l.queues[b].head != 0
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
		at = s.nodes[root].alarm.at
	}
	if s.slicing(l) {
		at = sooner(at, l.sliceEnd)
	}
	if l.partner != 0 {
		at = sooner(at, l.partnerUntil)
	}
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
