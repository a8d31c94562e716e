package sys

import (
	"runtime"
	"strconv"
	"sync"
	"syscall"
)

// RaiseProcs lets at least n goroutines run at once and returns what undoes it.
// A batch whose threads outnumber the Ps needs it before its measured section:
// a woken thread without a P waits for one. It stops the world (44 ms at 256), and
// does nothing if there are n already.
func RaiseProcs(n int) (restore func()) {
	before := runtime.GOMAXPROCS(0)
	if n <= before {
		return func() {}
	}
	runtime.GOMAXPROCS(n)
	return sync.OnceFunc(func() { runtime.GOMAXPROCS(before) })
}

// Reserve makes the carriers at least n, so that the next n spawns start none. It
// returns EAGAIN when n is beyond MaxThreads.
func Reserve(n int) error {
	if n > MaxThreads {
		return &Error{"reserve", strconv.Itoa(n) + " carriers are more than the " + strconv.Itoa(MaxThreads) + " threads that may exist", syscall.EAGAIN}
	}
	var launched []launch
	for int(liveCarriers.Load()) < n {
		l, ok := launchCarrier()
		if !ok {
			break
		}
		launched = append(launched, l)
	}
	for _, l := range launched {
		l.await()
	}
	return nil
}

// Null makes the shortest system call there is: null on Hearth, getpid on Linux.
func Null() {
	if onHearth {
		syscall.RawSyscall(callNull, 0, 0, 0)
	} else {
		syscall.RawSyscall(syscall.SYS_GETPID, 0, 0, 0)
	}
}

// Mark writes a record with two words of the caller's choice into the kernel's
// trace; on Linux it does nothing.
func Mark(a, b uint64) {
	if onHearth {
		syscall.RawSyscall(callMark, uintptr(a), uintptr(b), 0)
	}
}
