package sys

import (
	"strconv"
	"syscall"
	"unsafe"
)

const (
	callSetOnline = 4112
	callOnline    = 4113
)

// SetOnline takes a CPU offline or brings it back. What runs or waits on a CPU that
// goes offline moves to where its mask allows; a thread none of whose CPUs is left
// runs on any, until one of them is back. EINVAL if there is no such CPU, EBUSY if it
// is the last one online, ENOSYS on Linux, where a file of the system does this.
func SetOnline(cpu int, online bool) error {
	name := "CPU " + strconv.Itoa(cpu)
	if !onHearth {
		return &Error{"set online", name + ": Linux has /sys/devices/system/cpu/cpu" + strconv.Itoa(cpu) + "/online for this", syscall.ENOSYS}
	}
	wanted := uintptr(0)
	if online {
		wanted = 1
	}
	switch _, _, errno := syscall.RawSyscall(callSetOnline, uintptr(cpu), wanted, 0); errno {
	case 0:
		return nil
	case syscall.EBUSY:
		return &Error{"set online", name + " is the last one online", errno}
	case syscall.EINVAL:
		return &Error{"set online", name + " is not one of this machine's", errno}
	default:
		return &Error{"set online", name + ": " + errno.Error(), errno}
	}
}

// hearthOnline asks the kernel which CPUs are online.
func hearthOnline() (m Mask, errno syscall.Errno) {
	_, _, errno = syscall.RawSyscall(callOnline, uintptr(unsafe.Pointer(&m)), unsafe.Sizeof(m), 0)
	return m, errno
}
