package sched

import (
	"hearth/cpu"
	"time"
)

// pushGap is when a CPU that has just pushed and could push more makes its next
// pass: one entry gives one context away, so that none runs long.
const pushGap = 2 * time.Microsecond

// balance gives away at most one context that waits here while another CPU sleeps.
// True: there may be another one.
func (s *Scheduler) balance(c cpu.ID, now time.Duration, a *Actions) (again bool) {
	l := &s.locals[c]
	if s.movableNow(l) == 0 {
		s.answerPull(c, now, a)
		return false
	}
	// Before the sleepers are read: pairs with EnterIdle, which publishes Halted before
	// it reads surplus. Either we see the sleeper or it sees the surplus.
	s.publishSurplus(c)
	moved := s.answerPull(c, now, a) || s.push(c, now, a)
	return (moved || !l.sought && l.tries == 0) && s.movableNow(l) > 0
}
