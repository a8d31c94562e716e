package sys

import (
	"syscall"
	"time"
	_ "unsafe" // for go:linkname
)

//go:linkname entersyscallblock runtime.entersyscallblock
func entersyscallblock()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

//go:linkname nanotime runtime.nanotime
func nanotime() int64

// blockingCall makes a system call that is expected to sleep. It hands the P to
// other goroutines first: through syscall.Syscall6 a waiting thread would keep
// its P until the runtime's monitor comes, tens of microseconds to milliseconds
// later; through a raw call alone it would keep it until it wakes, and the first
// collection would wait for it for ever.
//
// The runtime demands that the frame which entered the call also leaves it, and
// no stack growth in between: hence one nosplit function, without race
// instrumentation. Since this stack cannot move from the caller's conversion of
// a pointer to the end of the call, pointers may travel as uintptr; the caller
// keeps what they point to alive.
//
//go:nosplit
//go:norace
//go:noinline
func blockingCall(nr, a1, a2, a3, a4, a5, a6 uintptr) (uintptr, syscall.Errno) {
	entersyscallblock()
	r, _, errno := syscall.RawSyscall6(nr, a1, a2, a3, a4, a5, a6)
	exitsyscall()
	return r, errno
}

// Now returns the time of the clock that futex deadlines are measured on
// (CLOCK_MONOTONIC): since boot, give or take what the kernel calls its boot.
func Now() time.Duration { return time.Duration(nanotime()) }

// Yield lets another runnable thread of this CPU run first. It keeps the P.
func Yield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
