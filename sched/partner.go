package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// A thread that wakes another one and then waits for it needs one CPU for both: the
// woken one runs as soon as the waker blocks, where the lines that they share are.
// Sent to a sleeper at once, it would hop at every turn. So what the current context
// wakes at home, when nothing else waits there, is its partner for a while: neither
// pushed nor handed over, and not published as surplus, so that nobody asks for it.
//
// If the waker runs on instead, somebody must look again for certain. A sleeper
// that halts reads nothing, and one that goes to sleep later sees no surplus; so it is
// the waker's own CPU, by the alarm of its pass.

// patienceForPartner is how long a partner waits for its waker to block: more than the
// one to two system calls that a turn takes, less than a thread may wait while a CPU
// sleeps (5 µs).
const patienceForPartner = 3 * time.Microsecond

// meet makes id, which c's current context is waking at home, that context's partner.
// One that wakes a second thread hands out work, and an alarm takes no turns.
func (s *Scheduler) meet(c cpu.ID, now time.Duration, id process.ContextID, home cpu.ID) {
	l := &s.locals[c]
	alone := l.first() == 0 && !l.unfinished() && s.handles[c].inbox.Load() == 0
	if home == c && l.current != 0 && l.expired == 0 && alone {
		l.partner, l.partnerUntil = id, now+patienceForPartner
		return
	}
	s.part(c)
}

// part ends the time in which c's partner waits for its waker: it may leave.
func (s *Scheduler) part(c cpu.ID) {
	l := &s.locals[c]
	if l.partner != 0 {
		l.partner = 0
		l.sought = false
	}
}

// lapse parts what has waited long enough.
func (s *Scheduler) lapse(c cpu.ID, now time.Duration) {
	l := &s.locals[c]
	if l.partner != 0 && now >= l.partnerUntil {
		s.part(c)
	}
}

// spare returns n, the number of contexts queued on the CPU that have a flag, without
// the partner.
func (s *Scheduler) spare(l *local, n int32, flag uint8) int32 {
	if s.nodes[l.partner].flags&flag != 0 { // node 0 has no flags
		return n - 1
	}
	return n
}

// movableNow returns how many contexts queued on the CPU may run elsewhere and need
// not wait for their waker.
func (s *Scheduler) movableNow(l *local) int32 { return s.spare(l, l.movable, flagMovable) }

// roamingNow returns how many of those may run on every CPU that is not isolated.
func (s *Scheduler) roamingNow(l *local) int32 { return s.spare(l, l.roaming, flagRoams) }
