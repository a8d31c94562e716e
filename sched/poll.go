package sched

import (
	"hearth/cpu"
	"time"
)

// A CPU with nothing to run may poll before it halts: what is posted to it meanwhile
// needs no kick and finds it awake. What that saves is a kick and the exit from the
// state in which it would halt; what it costs is a CPU that burns power, and speed of
// its SMT sibling, for nothing if no wake comes. So it polls for twice as long as it
// slept lately on average, within a budget. A CPU that sleeps longer than the budget
// would poll in vain; of those one in an LLC domain may poll, for the sake of the first
// wake after a quiet time.

// MaxIdleStates bounds the states in which a CPU may halt.
const MaxIdleStates = 4

// IdleState is a state in which a CPU halts. Exit is how long it takes to leave it.
// Stay is how long a sleep must be for the state to be worth it: it is chosen if the
// next alarm is that far and sleeps were that long lately.
type IdleState struct{ Exit, Stay time.Duration }

// SetIdleStates says in which states CPUs halt: the first n of states, the shallowest
// first; 0: in one, whose exit latency SetExitLatency says. Call it before any CPU is
// online.
func (s *Scheduler) SetIdleStates(states *[MaxIdleStates]IdleState, n int) {
	s.idleStates, s.idleCount = *states, int32(n)
}

// SetPollBudget says how long a CPU may poll at most before it halts; 0, as it is
// unless told: never.
func (s *Scheduler) SetPollBudget(budget time.Duration) { s.pollBudget = budget }

// Idling tells how c, for which EnterIdle was true, idles: until when it polls, then
// call StopPolling; 0 if it halts at once, in that one of the idle states.
func (s *Scheduler) Idling(c cpu.ID) (pollUntil time.Duration, state int) {
	l := &s.locals[c]
	if l.polls {
		return l.pollUntil, int(l.idleState)
	}
	return 0, int(l.idleState)
}

// Polled reports whether c, which polls, has to stop: something was posted, or a kick
// is on its way. Call LeaveIdle then.
func (s *Scheduler) Polled(c cpu.ID) bool {
	h := &s.handles[c]
	return h.mail() || Idle(h.idle.Load()) != Polling // pairs with ring, which sends no kick
}

// StopPolling makes c, which polled in vain, halt. False: something was posted at that
// moment; call LeaveIdle and make a pass.
func (s *Scheduler) StopPolling(c cpu.ID, now time.Duration) bool {
	h := &s.handles[c]
	s.endPoll(c)
	// As in EnterIdle: the state is published, then the inbox read.
	if !h.idle.CompareAndSwap(uint32(Polling), uint32(Halted)) {
		return false // kicked
	}
	s.sink(c, h.latency.Load())
	s.count(c, Halts)
	return !h.mail()
}

// startPoll decides whether c polls now.
func (s *Scheduler) startPoll(c cpu.ID, now time.Duration) bool {
	l := &s.locals[c]
	l.polls = false
	if s.pollBudget == 0 || !s.online.has(c) {
		return false
	}
	span := 2 * l.slept
	if l.slept == 0 || span > 2*s.pollBudget {
		if !s.pollers[s.Topology.At[c].LLC].CompareAndSwap(0, uint32(c)+1) {
			return false
		}
		span = s.pollBudget
	}
	l.polls, l.pollUntil = true, now+min(span, s.pollBudget)
	s.count(c, Polls)
	return true
}

// endPoll lets another CPU of the LLC domain poll in c's place.
func (s *Scheduler) endPoll(c cpu.ID) {
	l := &s.locals[c]
	if l.polls {
		l.polls = false
		s.pollers[s.Topology.At[c].LLC].CompareAndSwap(uint32(c)+1, 0)
	}
}

// chooseState chooses the state in which c would halt now and publishes its exit
// latency: the deepest for which both the next alarm and recent sleeps are long enough,
// else the shallowest.
func (s *Scheduler) chooseState(c cpu.ID, now time.Duration) {
	l := &s.locals[c]
	if s.idleCount == 0 {
		return
	}
	span := l.slept
	if at := s.nextAlarm(c, now, false); at >= 0 {
		span = min(span, at-now)
	}
	l.idleState = 0
	for i := int32(1); i < s.idleCount; i++ {
		if span >= s.idleStates[i].Stay {
			l.idleState = i
		}
	}
	h := &s.handles[c]
	if exit := uint32(s.idleStates[l.idleState].Exit); exit != h.latency.Load() {
		h.latency.Store(exit) // before the state is published: pairs with read
	}
}

// longestSleep bounds what one sleep adds to the average, so that a few short ones
// show after a long one.
const longestSleep = 10 * time.Millisecond

// learn takes a sleep that ended into the average of recent ones: half of it is the
// last one's.
func (l *local) learn(now time.Duration) {
	l.slept = (l.slept + min(now-l.idleSince, longestSleep) + 1) / 2
}
