package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// push sends the first queued context for which an allowed CPU sleeps to the best
// such CPU. If there is none, CPUs that go to sleep later will ask, so sleepers are
// not sought again until the queue grows or one asks.
func (s *Scheduler) push(c cpu.ID, now time.Duration, a *Actions) bool {
	l := &s.locals[c]
	if l.sought {
		return false
	}
	l.sought = true
	allTries := l.tries == maxTries
	var asleep cpu.Mask
	if !s.sleepers(c, now, &asleep) {
		return false
	}
	for id := l.first(); id != 0 && s.try(c); {
		if s.pushTo(c, now, id, &asleep, a) {
			l.sought = false
			return true
		}
		id = s.after(l, id)
	}
	if l.tries == 0 && !allTries {
		l.sought = false // requests took some; the next pass looks at as many as it should
	}
	return false
}

// pushTo sends id, queued on c, to the best CPU of asleep on which it may run.
func (s *Scheduler) pushTo(c cpu.ID, now time.Duration, id process.ContextID, asleep *cpu.Mask, a *Actions) bool {
	n := &s.nodes[id]
	if n.flags&flagMovable == 0 || id == s.locals[c].partner {
		return false
	}
	var m cpu.Mask
	s.allowed(id, &m)
	m.And(asleep)
	r, ok := s.pick(now, &m, s.following(c), c, n.band)
	if !ok {
		return false
	}
	if !r.Free() || !s.tryClaim(&r, n.band) {
		s.locals[c].sought = false // another CPU was faster here, and there may be more
		return false
	}
	s.migrate(c, now, id, r.CPU, MovePush, a)
	return true
}

// sleepers makes m the CPUs other than c that are free; false if there is none.
func (s *Scheduler) sleepers(c cpu.ID, now time.Duration, m *cpu.Mask) (some bool) {
	var online cpu.Mask
	s.OnlineMask(&online)
	m.Reset()
	for i := online.First(); i != cpu.None; i = online.Next(i) {
		var r Raw
		s.read(i, now, false, &r)
		if i != c && r.Free() {
			m.Set(i)
			some = true
		}
	}
	return some
}
