package kernel

import (
	"runtime"
	"syscall"

	"github.com/usbarmory/tamago/soc/intel/rtc"
)

// init is program code: the first thing that the image's Go program does with
// the kernel. GOMAXPROCS is two more than the CPUs, so that a thread which is
// about to park does not keep a runnable goroutine waiting for its P; and the
// real-time clock is set from the board's.
func init() {
	if isHost() {
		return
	}
	runtime.GOMAXPROCS(runtime.NumCPU() + 2)
	setWallClock()
	learnBoundsPanic()
}

// isHost reports whether this is not Hearth: a test of the package on Linux.
func isHost() bool {
	_, _, errno := syscall.RawSyscall(callHello, 0, 0, 0)
	return errno != 0
}

func setWallClock() {
	wall, err := (&rtc.RTC{}).Now()
	if err != nil {
		return // it stays at 1970 plus the time since boot
	}
	base := wall.Add(-now()).UnixNano()
	syscall.RawSyscall(callClockBase, uintptr(base), 0, 0)
}
