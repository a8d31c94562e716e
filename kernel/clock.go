package kernel

import (
	"hearth/boot"
	"sync/atomic"
	"time"
)

// Kernel time is the time since boot by the TSC; the real-time clock is it plus
// wallAtBoot, which the program side sets (program_amd64.go).
var (
	clock      boot.Clock
	bootTicks  uint64
	wallAtBoot atomic.Int64
)

// now returns the time since boot.
func now() time.Duration { return timeOf(boot.ReadTSC()) }

// timeOf returns the time since boot at a reading of the TSC.
func timeOf(ticks uint64) time.Duration {
	return time.Duration(clock.Nanoseconds(ticks - bootTicks))
}
