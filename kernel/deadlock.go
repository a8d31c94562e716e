package kernel

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"time"
)

// A program whose contexts all wait, with no alarm set and nothing on its way, can
// never go on: nothing outside the machine wakes it, as no device interrupts. CPU 0
// looks for that from time to time while it is idle, in small pieces, and ends the
// machine with a report of who waits on what. That CPUs leave their halts for a tick
// changes nothing; that a context was woken or ran anywhere shows in the counters,
// which are read before and after.

// When CPU 0 looks, and how much it looks at in one entry.
const (
	deadlockPeriod  = time.Second
	deadlockConfirm = 20 * time.Millisecond // until it looks again before it reports
	deadlockGap     = 10 * time.Microsecond // between the pieces of a look
	deadlockPiece   = 64
)

// monitorContext is the context of the Go runtime's monitor, the first that a program
// clones. With nothing to do it sleeps for a minute at a time, and finds as little
// to do then; what its program's timers want, another context waits for.
const monitorContext = 2

// search is how far CPU 0's look has come.
var search struct {
	at      time.Duration // when it goes on, 0: not set
	next    int           // CPUs, contexts, then CPUs again
	steps   uint64        // sum of the CPUs' counters before, less that after
	looks   int           // that found all waiting
	blocked int           // contexts
}

// nextSearch returns the earlier of an alarm of the idle CPU, < 0 for none, and the
// next piece of the search.
func (c *perCPU) nextSearch(t, alarm time.Duration) time.Duration {
	if c.id != 0 {
		return alarm
	}
	if search.at == 0 {
		search.at = t + deadlockPeriod
	}
	if alarm >= 0 && alarm <= search.at {
		return alarm
	}
	return search.at
}

// seekDeadlock does a piece of the search, if it is time. CPU 0 has found nothing to
// run.
func (c *perCPU) seekDeadlock(t time.Duration) {
	if c.id != 0 || search.at == 0 || t < search.at || ending.Load() {
		return
	}
	search.at = t + deadlockGap
	for range deadlockPiece {
		if !lookAt(search.next) {
			stopSearch(t)
			return
		}
		search.next++
		if search.next == 2*onlineCount+process.MaxContexts {
			endLook(t)
			return
		}
	}
}

// stopSearch begins again later: somebody runs, or will.
func stopSearch(t time.Duration) {
	search.at, search.next, search.steps, search.looks, search.blocked = t+deadlockPeriod, 0, 0, 0, 0
}

// endLook ends a look that found everybody waiting: the first is confirmed by
// another, a moment later.
func endLook(t time.Duration) {
	if search.steps != 0 || search.blocked == 0 {
		stopSearch(t)
		return
	}
	search.looks++
	if search.looks == 2 {
		reportDeadlock()
	}
	search.at, search.next, search.blocked = t+deadlockConfirm, 0, 0
}

// lookAt looks at one CPU or context and reports whether it waits for good.
func lookAt(n int) bool {
	switch {
	case n < onlineCount:
		search.steps += stepsOf(cpu.ID(n))
		return sleeps(cpu.ID(n))
	case n < onlineCount+process.MaxContexts:
		return waits(process.ContextID(n - onlineCount + 1))
	}
	n -= onlineCount + process.MaxContexts
	search.steps -= stepsOf(cpu.ID(n))
	return sleeps(cpu.ID(n))
}

// stepsOf returns a number that changes with everything that CPU id does for a
// context.
func stepsOf(id cpu.ID) uint64 {
	return scheduler.Counter(id, sched.Dispatches) + scheduler.Counter(id, sched.Wakes)
}

// sleeps reports whether a CPU is idle and nothing is posted to it. CPU 0 is when it
// asks.
func sleeps(id cpu.ID) bool {
	face := scheduler.Look(id)
	return !face.Mail && face.Load == 0 && face.Background == 0 && (id == 0 || face.Idle == sched.Halted)
}

// waits reports whether a context waits without an alarm, or is none.
func waits(id process.ContextID) bool {
	switch scheduler.Table.Context(id).State() {
	case process.New, process.Exited:
		return true
	case process.Blocked:
		search.blocked++
		return !scheduler.Armed(id) || isMonitor(id)
	}
	return false
}

func isMonitor(id process.ContextID) bool {
	return id == monitorContext && contextAt(id).wait.kind == waitFutex && scheduler.Table.Context(id).Thread() == 0
}
