package kernel

import (
	"hearth/process"
	"time"
	"unsafe"
)

// timespec is Linux's: seconds and nanoseconds.
type timespec struct{ seconds, nanos int64 }

// never is the deadline of a wait without one.
const never time.Duration = -1

// read fetches a timespec of the program; ok is false for an address or a
// value that Linux refuses too.
func (t *timespec) read(at uintptr) (errno int64) {
	if !programSpace.copyIn(unsafe.Pointer(t), at, unsafe.Sizeof(*t)) {
		return eFAULT
	}
	if t.seconds < 0 || uint64(t.nanos) >= uint64(time.Second) {
		return eINVAL
	}
	return 0
}

// duration returns the time as nanoseconds, cut at 146 years.
func (t *timespec) duration() time.Duration {
	const most = int64(1<<62) / int64(time.Second)
	return time.Duration(min(t.seconds, most))*time.Second + time.Duration(t.nanos)
}

// timeoutAfter reads a relative timeout, address 0: never.
func timeoutAfter(at uintptr) (until time.Duration, errno int64) {
	if at == 0 {
		return never, 0
	}
	var t timespec
	if errno := t.read(at); errno != 0 {
		return 0, errno
	}
	return now() + t.duration(), 0
}

// timeoutAt reads an absolute timeout, of the monotonic or the real-time clock.
func timeoutAt(at uintptr, realTime bool) (until time.Duration, errno int64) {
	if at == 0 {
		return never, 0
	}
	var t timespec
	if errno := t.read(at); errno != 0 {
		return 0, errno
	}
	until = t.duration()
	if realTime {
		until -= time.Duration(timeBase.wall.Load())
	}
	return max(until, 0), 0
}

// nanosleep waits for a time; it is never early.
func (c *perCPU) nanosleep(x *context, at uintptr) (int64, bool) {
	until, errno := timeoutAfter(at)
	if errno != 0 || until == never {
		return -max(errno, eFAULT), false
	}
	id := c.context()
	x.wait = wait{kind: waitSleep}
	scheduler.Block(c.id, c.entry, until)
	c.traceBlock(id, until)
	return 0, true
}

// yieldPause is how long a thread that yields to a lower class stays away.
const yieldPause = 50 * time.Microsecond

// yield lets others run. The runtime's spin loops yield to whoever holds what
// they wait for; were the holder of a lower class, it would never run on the
// same CPU. So a real-time thread, and any other behind which background work
// waits, sleeps for a moment instead.
func (c *perCPU) yield(x *context) {
	x.frame.ax = 0
	class := scheduler.Table.Context(c.context()).Class()
	lower := class != process.Background && scheduler.Look(c.id).Background > 0
	if class != process.RealTime && !lower {
		scheduler.Yield(c.id, c.entry)
		return
	}
	x.wait = wait{kind: waitSleep}
	scheduler.Block(c.id, c.entry, c.entry+yieldPause)
}

// Clocks of clock_gettime.
const (
	clockRealTime       = 0
	clockRealTimeCoarse = 5
	clocks              = 12
)

// clockGettime tells the time: since 1970 for the real-time clocks, since boot
// for all others.
func clockGettime(clock uint64, to uintptr) int64 {
	if clock >= clocks {
		return -eINVAL
	}
	t := now()
	if clock == clockRealTime || clock == clockRealTimeCoarse {
		t += time.Duration(timeBase.wall.Load())
	}
	s := timespec{int64(t / time.Second), int64(t % time.Second)}
	if !programSpace.copyOut(to, unsafe.Pointer(&s), unsafe.Sizeof(s)) {
		return -eFAULT
	}
	return 0
}

// gettimeofday tells the time since 1970 in seconds and microseconds; the time
// zone is UTC.
func gettimeofday(to, zone uintptr) int64 {
	t := now() + time.Duration(timeBase.wall.Load())
	s := [2]int64{int64(t / time.Second), int64(t % time.Second / time.Microsecond)}
	if to != 0 && !programSpace.copyOut(to, unsafe.Pointer(&s), unsafe.Sizeof(s)) {
		return -eFAULT
	}
	var utc uint64
	if zone != 0 && !programSpace.copyOut(zone, unsafe.Pointer(&utc), unsafe.Sizeof(utc)) {
		return -eFAULT
	}
	return 0
}

// negative returns an error number as a call's result in a frame.
func negative(errno int64) uint64 { return uint64(-errno) }
