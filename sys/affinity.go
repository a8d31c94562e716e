package sys

import (
	"strconv"
	"syscall"
	"unsafe"
)

// SetAffinity restricts t, or with 0 the caller's OS thread, to the CPUs of the
// mask; one that is running elsewhere moves at once. ESRCH if there is no such
// thread, EINVAL if the mask holds no online CPU. With 0 the calling goroutine
// should be locked to its OS thread, as a thread's is.
func (t Thread) SetAffinity(mask *Mask) error {
	set := linuxSetAffinity
	if onHearth {
		set = hearthSetAffinity
	}
	switch errno := set(t, mask); errno {
	case 0:
		return nil
	case syscall.EINVAL:
		return &Error{"set affinity", t.label() + ": " + offline(mask), errno}
	default:
		return &Error{"set affinity", t.label() + ": " + noThread(errno), errno}
	}
}

// Affinity returns the CPUs that t, or with 0 the caller's OS thread, may run on;
// ESRCH if there is no such thread.
func (t Thread) Affinity() (Mask, error) {
	tid, errno := t.osThread()
	if errno == 0 {
		var mask Mask
		if mask, errno = getaffinity(tid); errno == 0 {
			return mask, nil
		}
	}
	return Mask{}, &Error{"affinity", t.label() + ": " + noThread(errno), errno}
}

// CurrentCPU returns the CPU that the caller runs on at the moment of the call.
func CurrentCPU() int {
	var cpu, node uint32
	syscall.RawSyscall(sysGetcpu, uintptr(unsafe.Pointer(&cpu)), uintptr(unsafe.Pointer(&node)), 0)
	return int(cpu)
}

const sysGetcpu = 309

// osThread returns the id that Linux's own calls know t by.
func (t Thread) osThread() (int32, syscall.Errno) {
	if t == 0 {
		return 0, 0
	}
	if onHearth {
		status, errno := hearthStatus(t)
		return status.context, errno
	}
	r := threadRecord(t)
	if r == nil || r.state.Load()&threadLive == 0 {
		return 0, syscall.ESRCH
	}
	return carriers[r.carrier.Load()].tid, 0
}

func hearthSetAffinity(t Thread, mask *Mask) syscall.Errno {
	_, _, errno := syscall.RawSyscall(callSetAffinity, uintptr(t), unsafe.Sizeof(*mask), uintptr(unsafe.Pointer(mask)))
	return errno
}

// linuxSetAffinity holds the carrier in its thread meanwhile: a mask that came
// late would pin the next tenant.
func linuxSetAffinity(t Thread, mask *Mask) syscall.Errno {
	if t == 0 {
		if t = Self(); t == 0 {
			return setaffinity(0, mask)
		}
	}
	r := threadRecord(t)
	if r == nil || r.state.Load()&threadLive == 0 {
		return syscall.ESRCH
	}
	c := &carriers[r.carrier.Load()]
	c.mu.Lock()
	defer c.mu.Unlock()
	if Thread(c.thread.Load()) != t {
		return syscall.ESRCH
	}
	errno := setaffinity(c.tid, mask)
	if errno == 0 {
		c.dress.pinned = true
	}
	return errno
}

func (t Thread) label() string {
	if t == 0 {
		return "the calling thread"
	}
	return "thread " + strconv.Itoa(int(t))
}

func noThread(errno syscall.Errno) string {
	if errno == syscall.ESRCH {
		return "there is no such thread, or it has ended"
	}
	return errno.Error()
}
