package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"time"
)

// pass ends an entry of c: what runs next, and when the one-shot must fire.
func (m *Model) pass(c cpu.ID) (next *Thread, alarm time.Duration) {
	s := &m.cpus[c]
	if s.state == sched.Kicked {
		s.state = sched.Busy
	}
	m.save(s)
	m.charge(s)
	if s.current != nil && m.now >= s.tick {
		s.tick = m.now + TickPeriod
		m.policy.Tick(m, c)
	}
	m.giveWay(s)
	if s.current == nil && m.online.Has(c) {
		m.runNext(s)
	}
	if m.hooks.push != nil && s.current != nil && len(s.queue.threads) > 0 {
		m.hooks.push.Push(m, c)
	}
	return s.current, m.alarm(s)
}

// save keeps the registers of those that left s; they may run elsewhere from now on.
func (m *Model) save(s *seat) {
	for _, t := range s.leaving {
		t.unsaved = false
		if t.in == &s.queue && !m.Allowed(t, s.id) {
			m.remask(t)
		}
	}
	s.leaving = s.leaving[:0]
}

// charge counts what the current thread has computed.
func (m *Model) charge(s *seat) {
	if t := s.current; t != nil {
		t.Spent += m.now - s.since
		t.Virtual += m.now - s.since
		t.Ran = m.now
	}
	s.since = m.now
}

// giveWay takes the current thread off s if it may not stay or its turn is over.
func (m *Model) giveWay(s *seat) {
	t := s.current
	if t == nil {
		return
	}
	switch {
	case t.leave && !m.Allowed(t, s.id):
		s.current = nil
		m.send(t, process.Running, sched.MoveMask, m.policy.Wake(m, t, s.id))
	case m.turnIsOver(s):
		s.current = nil
		m.act.Note(sched.EventPreempt, 0, t.id, s.id, s.id)
		m.again(s, t)
	}
	s.resched = false
}

// turnIsOver: something more urgent waits, the policy said so, or the slice has
// ended and others of the class wait.
func (m *Model) turnIsOver(s *seat) bool {
	t := s.current
	w := m.waiting(s)
	if w == nil || rank(w.Class) > rank(t.Class) {
		return false
	}
	if rank(w.Class) < rank(t.Class) {
		t.first = true
		return true
	}
	return t.Class != process.RealTime && (s.resched || m.now >= s.sliceEnd)
}

// again queues t, whose turn on s is over.
func (m *Model) again(s *seat, t *Thread) {
	to := s.id
	if m.hooks.requeue != nil {
		to = m.hooks.requeue.Requeue(m, t, s.id)
	}
	m.set(t, process.Running, process.InTransit)
	c, q := m.choose(t, to, s.id)
	if c != s.id {
		m.act.Note(sched.EventMigrate, sched.MovePush, t.id, s.id, c)
	}
	m.put(t, c, q)
}

// waiting returns the first thread that s could run from its own queues.
func (m *Model) waiting(s *seat) *Thread {
	var own *Thread
	if len(s.queue.threads) > 0 {
		own = s.queue.threads[0]
	}
	if q := m.shared[s.id]; q != nil && len(q.threads) > 0 {
		m.Touch(&q.lock)
		for _, t := range q.threads {
			if m.mayTake(t, s.id) && (own == nil || rank(t.Class) < rank(own.Class)) {
				return t
			}
		}
	}
	return own
}

// runNext dispatches from s's queues or takes what the policy finds elsewhere.
func (m *Model) runNext(s *seat) {
	t := m.waiting(s)
	if t == nil {
		if t = m.policy.Idle(m, s.id); t == nil {
			return
		}
	}
	if t.Last != s.id {
		m.migrate(t, s.id, &s.queue, sched.MovePull)
	}
	m.remove(t)
	m.set(t, process.Ready, process.Running)
	s.current = t
	s.idleBit, s.resched, t.leave = false, false, false
	s.since = m.now
	if s.tick <= m.now { // else it goes on ticking, whoever runs
		s.tick = m.now + TickPeriod
	}
	s.sliceEnd = m.now + m.sliceOf(t)
	m.act.Note(sched.EventDispatch, 0, t.id, s.id, s.id)
}

func (m *Model) sliceOf(t *Thread) time.Duration {
	if m.hooks.slice != nil {
		return m.hooks.slice.Slice(m, t)
	}
	return DefaultSlice
}

// alarm returns when s must be interrupted, negative for never.
func (m *Model) alarm(s *seat) time.Duration {
	at := time.Duration(-1)
	earlier := func(d time.Duration) {
		if at < 0 || d < at {
			at = d
		}
	}
	if len(s.timers) > 0 && !m.holds(s.id) {
		earlier(s.timers[0].at)
	}
	if s.current != nil {
		earlier(s.tick)
		if m.waiting(s) != nil {
			earlier(max(s.sliceEnd, m.now))
		}
	}
	return at
}

func (m *Model) holds(c cpu.ID) bool {
	return m.hooks.timers != nil && m.hooks.timers.HoldsTimers(m, c)
}

// enterIdle is c's last look before it halts: whether it does.
func (m *Model) enterIdle(c cpu.ID) bool {
	s := &m.cpus[c]
	if s.state == sched.Kicked {
		return false
	}
	if m.hooks.halt != nil {
		if !m.hooks.halt.Halt(m, c) {
			return false
		}
	} else if m.waiting(s) != nil && m.online.Has(c) {
		return false
	}
	s.state, s.idleAt, s.idleBit = sched.Halted, m.now, true
	return true
}
