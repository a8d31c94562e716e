package sys

import (
	"runtime"
	"syscall"
	"unsafe"
)

// dress is what a carrier's OS thread wears of its present or last tenant. Linux
// keeps these with the OS thread, so the next tenant changes what differs. On
// Hearth they belong to the thread and the carrier wears nothing.
type dress struct {
	pinned bool // the affinity mask is not the process's
	named  bool
	class  Class
}

var (
	processMask, _ = getaffinity(0)
	processName    = threadName()
)

// wear prepares c's OS thread, while it is parked, for a tenant with these
// options. After a failure c wears a part of them, and notes it.
func (c *carrier) wear(o *Options) syscall.Errno {
	if o.Mask != nil || c.dress.pinned {
		mask := o.Mask
		if mask == nil {
			mask = &processMask
		}
		if errno := setaffinity(c.tid, mask); errno != 0 {
			return errno
		}
		c.dress.pinned = o.Mask != nil
	}
	if o.Class != c.dress.class {
		if errno := setClass(c.tid, o.Class); errno != 0 {
			return errno
		}
		c.dress.class = o.Class
	}
	return 0
}

// putOnName names the calling carrier's OS thread; only it can.
func (c *carrier) putOnName(name string) {
	if onHearth || name == "" && !c.dress.named {
		return
	}
	c.dress.named = name != ""
	if name == "" {
		name = processName
	}
	var text [maxName + 1]byte
	copy(text[:maxName], name)
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_NAME, uintptr(unsafe.Pointer(&text)), 0)
}

// undressClass returns the calling carrier to the fair class, which an
// unprivileged process may be refused after SCHED_IDLE.
func (c *carrier) undressClass() bool {
	if c.dress.class != Fair && setClass(c.tid, Fair) == 0 {
		c.dress.class = Fair
	}
	return c.dress.class == Fair
}

// retire ends a carrier that cannot be cleaned, and with it its OS thread.
func (c *carrier) retire() { runtime.Goexit() }

func threadName() string {
	var text [maxName + 1]byte
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_GET_NAME, uintptr(unsafe.Pointer(&text)), 0)
	n := 0
	for n < maxName && text[n] != 0 {
		n++
	}
	return string(text[:n])
}

// Linux's scheduling policies, by class, and the priority of each.
var policies = [...]struct{ policy, priority uintptr }{Fair: {0, 0}, RealTime: {1, 1}, Background: {5, 0}}

func setClass(tid int32, class Class) syscall.Errno {
	priority := int32(policies[class].priority)
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETSCHEDULER, uintptr(tid), policies[class].policy,
		uintptr(unsafe.Pointer(&priority)))
	return errno
}

func setaffinity(tid int32, mask *Mask) syscall.Errno {
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(tid), unsafe.Sizeof(*mask), uintptr(unsafe.Pointer(mask)))
	return errno
}

func getaffinity(tid int32) (Mask, syscall.Errno) {
	var mask Mask
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, uintptr(tid), unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
	return mask, errno
}
