package kernel

import (
	"hearth/boot"
	"sync/atomic"
	"time"
)

// Kernel time is the time since boot by the TSC; the real-time clock is it plus
// timeBase.wall.
var clock boot.Clock

// timeData is what turns a reading of the TSC into a time, for the functions that
// read the clock without a system call (vdso_amd64.s): they do what now does. It is
// a program's business only to read it.
type timeData struct {
	direct uint64       // 1: as far as is known the TSCs of all CPUs agree, so any will do
	start  uint64       // TSC at the kernel's time 0
	factor uint64       // of clock, as is shift
	shift  uint64       //
	wall   atomic.Int64 // nanoseconds from 1970 to boot; programs set it
}

var timeBase timeData

// setTimeBase starts kernel time.
func setTimeBase() {
	factor, shift := clock.Scale()
	timeBase.factor, timeBase.shift = factor, uint64(shift)
	timeBase.start, timeBase.direct = boot.ReadTSC(), 1
}

// now returns the time since boot.
func now() time.Duration { return timeOf(me().ticks()) }

// timeOf returns the time since boot at a reading of the boot CPU's TSC.
func timeOf(ticks uint64) time.Duration {
	return time.Duration(clock.Nanoseconds(ticks - timeBase.start))
}
