package sys

import (
	"math"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// Futex operations, private to the process; the numbers are Linux's.
const (
	futexPrivate    = 128
	futexWait       = 0 | futexPrivate
	futexWake       = 1 | futexPrivate
	futexCmpRequeue = 4 | futexPrivate
	futexWaitBitset = 9 | futexPrivate // its timeout is absolute, on CLOCK_MONOTONIC
	futexAnyBit     = 1<<32 - 1
)

// Forever as a timeout or deadline means that only a wake ends the wait.
const Forever time.Duration = -1

// FutexWait waits while *addr holds val, at most for timeout (Forever: without
// bound). It returns nil after a wake, which may be spurious, ErrChanged if
// *addr did not hold val, and ErrTimeout never before the timeout has passed.
func FutexWait(addr *uint32, val uint32, timeout time.Duration) error {
	if timeout < 0 {
		return FutexWaitUntil(addr, val, Forever)
	}
	return FutexWaitUntil(addr, val, Now()+timeout)
}

// FutexWaitUntil is FutexWait with an absolute deadline on the clock of Now.
// A signal does not end the wait.
func FutexWaitUntil(addr *uint32, val uint32, deadline time.Duration) error {
	for {
		errno := futexWaitOnce(addr, val, deadline)
		switch errno {
		case 0:
			return nil
		case syscall.EINTR: // the deadline is absolute: the same call again
		case syscall.EAGAIN:
			return ErrChanged
		case syscall.ETIMEDOUT:
			return ErrTimeout
		default:
			return &Error{"futex wait", "address " + hex(uintptr(unsafe.Pointer(addr))) + ": " + errno.Error(), errno}
		}
	}
}

func futexWaitOnce(addr *uint32, val uint32, deadline time.Duration) syscall.Errno {
	if deadline < 0 {
		_, errno := blockingCall(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWait, uintptr(val), 0, 0, 0)
		runtime.KeepAlive(addr)
		return errno
	}
	at := syscall.NsecToTimespec(int64(deadline))
	_, errno := blockingCall(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWaitBitset, uintptr(val),
		uintptr(unsafe.Pointer(&at)), 0, futexAnyBit)
	runtime.KeepAlive(addr)
	runtime.KeepAlive(&at)
	return errno
}

// FutexWake wakes at most n of the threads that wait on addr, longest waiting
// first, and returns how many it woke.
func FutexWake(addr *uint32, n int) int {
	if n <= 0 {
		return 0 // Linux would wake one
	}
	n = min(n, math.MaxInt32)
	woken, _, errno := syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexWake, uintptr(n), 0, 0, 0)
	if errno != 0 {
		return 0 // only an address that holds no word is refused, and nobody waits there
	}
	return int(woken)
}

// FutexRequeue wakes at most wake of the threads that wait on addr and lets at
// most requeue of the others wait on addr2 instead, if *addr holds val; if not it
// returns ErrRequeueChanged. The count is of the woken and the moved together.
func FutexRequeue(addr *uint32, wake, requeue int, addr2 *uint32, val uint32) (int, error) {
	moved, _, errno := syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(addr)), futexCmpRequeue,
		uintptr(wake), uintptr(requeue), uintptr(unsafe.Pointer(addr2)), uintptr(val))
	switch errno {
	case 0:
		return int(moved), nil
	case syscall.EAGAIN:
		return 0, ErrRequeueChanged
	}
	return 0, &Error{"futex requeue", "from " + hex(uintptr(unsafe.Pointer(addr))) + " to " +
		hex(uintptr(unsafe.Pointer(addr2))) + ": " + errno.Error(), errno}
}
