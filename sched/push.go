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
	for s.someIdle() || s.mendHints() {
		if s.pushFirst(c, now, a) {
			l.sought = false
			return true
		}
		if !s.mendHints() {
			break
		}
		if l.tries == 0 {
			l.sought = false // the next pass begins at once
			return false
		}
	}
	if l.tries == 0 && !allTries {
		l.sought = false // requests took some; the next pass looks at as many as it should
	}
	return false
}

// pushFirst pushes the first queued context for which the search finds a CPU.
func (s *Scheduler) pushFirst(c cpu.ID, now time.Duration, a *Actions) bool {
	l := &s.locals[c]
	for id := l.first(); id != 0 && s.try(c); {
		if s.pushTo(c, now, id, a) {
			return true
		}
		id = s.after(l, id)
	}
	return false
}

// pushTo sends id, queued on c, to the best free CPU on which it may run, its homes
// apart, and preferably in c's LLC domain.
func (s *Scheduler) pushTo(c cpu.ID, now time.Duration, id process.ContextID, a *Actions) bool {
	n := &s.nodes[id]
	if n.flags&flagMovable == 0 || id == s.locals[c].partner {
		return false
	}
	var q query
	var r answer
	s.queryFor(c, now, id, &q)
	q.start, q.spawner = s.following(c), c
	if !s.anyFree(&q, &r) {
		return false
	}
	if !s.claimAs(r.cpu, r.word, n.band) {
		s.locals[c].sought = false // another CPU was faster here, and there may be more
		return false
	}
	s.migrate(c, now, id, r.cpu, MovePush, a)
	return true
}

// someIdle reports whether the hints show an idle CPU.
func (s *Scheduler) someIdle() bool {
	for w := range s.groups.words {
		if s.hints[w][hintAny].Load() != 0 {
			return true
		}
	}
	return false
}

// mendHints brings the hints up to date with the groups, and reports whether one of
// idle CPUs was wrong. Somebody may be about to correct what it wrote too late
// (settleHint); the sleeper that this hides has looked for surplus before ours was
// published, and sleeps on. So who found no sleeper does not take the hints' word for
// it, once for each time that its queue grows.
func (s *Scheduler) mendHints() (wrong bool) {
	for g := range s.groups.count {
		for kind := range hintKinds {
			if kind != hintSurplus && !agree(&s.hints[g>>6][kind], g, s.hintHolds(g, kind)) {
				s.settleHint(g, kind)
				wrong = true
			}
		}
	}
	return wrong
}
