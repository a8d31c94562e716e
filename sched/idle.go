package sched

import (
	"hearth/cpu"
	"time"
)

// EnterIdle makes c, whose Pass returned no context, a sleeper and asks the fullest
// CPU for work. True: poll, if Idling says so, then halt until a kick or the alarm, then
// call LeaveIdle. False: something was posted meanwhile, or the Pass left something;
// make another one, in an entry of its own.
func (s *Scheduler) EnterIdle(c cpu.ID, now time.Duration, a *Actions) bool {
	h, l := &s.handles[c], &s.locals[c]
	if l.unfinished() || l.first() != 0 {
		return false
	}
	s.chooseState(c, now)
	state, latency := Halted, h.latency.Load()
	if s.startPoll(c, now) {
		state, latency = Polling, 0
	}
	s.fallAsleep(c, latency) // before the state: see summary
	if !h.idle.CompareAndSwap(uint32(Busy), uint32(state)) {
		s.awaken(c)
		s.endPoll(c)
		return false // kicked
	}
	// The state is published, then the inbox read. A waker posts, then reads the state
	// (ring): either it kicks or we see its post.
	if h.mail() {
		h.idle.Store(uint32(Busy))
		s.awaken(c)
		s.endPoll(c)
		return false
	}
	l.idleSince = now
	if s.online.has(c) {
		s.seek(c, now, a)
	}
	if state == Halted {
		s.count(c, Halts)
	}
	return true
}

// LeaveIdle ends c's sleep: it is busy, and a Pass follows. A kick is answered by that
// Pass, so that nobody sends a second one before.
func (s *Scheduler) LeaveIdle(c cpu.ID, now time.Duration) {
	h := &s.handles[c]
	h.heard.Store(int64(now))
	// The Pass reads the inbox after this: pairs with ring. If both fail, c was kicked.
	_ = h.idle.CompareAndSwap(uint32(Halted), uint32(Busy)) || h.idle.CompareAndSwap(uint32(Polling), uint32(Busy))
	s.locals[c].learn(now)
	s.endPoll(c)
	s.awaken(c)
}
