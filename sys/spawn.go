package sys

import (
	"fmt"
	"strconv"
	"syscall"
	"time"
)

// settleTries bounds how often a spawn asks again for a carrier that has said
// that it parks but may have been preempted just before.
const settleTries = 64

// enlist hands the job to a carrier of the reserve and starts one more each time
// the reserve proves empty.
func enlist(token int32, o *Options) (Thread, syscall.Errno) {
	for {
		t, errno := handOver(token, o)
		if errno != syscall.EBUSY {
			return t, errno
		}
		if errno := startCarrier(); errno != 0 {
			return awaitCarrier(token, o)
		}
		for range settleTries {
			if t, errno = handOver(token, o); errno != syscall.EBUSY {
				return t, errno
			}
			Yield()
		}
	}
}

// awaitCarrier asks for a carrier when no more may be started: all exist, but one
// may have ended its thread and not have parked yet.
func awaitCarrier(token int32, o *Options) (Thread, syscall.Errno) {
	var never uint32
	for range settleTries {
		if t, errno := handOver(token, o); errno != syscall.EBUSY {
			return t, errno
		}
		FutexWait(&never, 0, time.Millisecond)
	}
	return 0, syscall.EAGAIN
}

// handOver makes the one call of the hot path.
func handOver(token int32, o *Options) (Thread, syscall.Errno) {
	if onHearth {
		return hearthSpawn(token, o)
	}
	return linuxSpawn(token, o)
}

func join(t Thread) (int32, syscall.Errno) {
	if onHearth {
		return hearthJoin(t)
	}
	return linuxJoin(t)
}

// check refuses what no kernel should be asked.
func (o *Options) check(fn func()) error {
	text := ""
	switch {
	case fn == nil:
		text = "the function is nil"
	case o.Relation > Stranger:
		text = fmt.Sprintf("relation %d; known: 0 (pair), 1 (stranger)", o.Relation)
	case o.Class > Background:
		text = fmt.Sprintf("class %d; known: 0 (fair), 1 (real-time), 2 (background)", o.Class)
	case o.Weight < 0 || o.Weight > MaxWeight:
		text = fmt.Sprintf("weight %d; it must be within 1 and %d, or 0 for the default, 100", o.Weight, MaxWeight)
	case len(o.Name) > maxName:
		text = fmt.Sprintf("name %q is longer than %d bytes", o.Name, maxName)
	case o.StackBytes < 0 || o.StackBytes > maxStackBytes:
		text = fmt.Sprintf("stack of %d bytes; it must be within 0 and %d", o.StackBytes, maxStackBytes)
	default:
		return nil
	}
	return &Error{"spawn", text, syscall.EINVAL}
}

// refused explains an error number in terms of the options.
func (o *Options) refused(errno syscall.Errno) error {
	text := errno.Error()
	switch {
	case errno == syscall.EAGAIN:
		text = "all " + strconv.Itoa(MaxThreads) + " threads are in use; join those that ended"
	case errno == syscall.EINVAL && o.Mask != nil:
		text = offline(o.Mask)
	case errno == syscall.EPERM:
		text = fmt.Sprintf("class %d: this process may not use it", o.Class)
	}
	return &Error{"spawn", text, errno}
}

func offline(m *Mask) string {
	online := Online()
	return "affinity mask " + m.String() + " holds no online CPU; online: " + online.String()
}

func joinError(t Thread, errno syscall.Errno) error {
	text := errno.Error()
	switch errno {
	case syscall.ESRCH:
		text = "there is no such thread"
	case syscall.EINVAL:
		text = "it is detached, or another thread joins it already"
	case syscall.EDEADLK:
		text = "a thread cannot join itself"
	}
	return &Error{"join", "thread " + strconv.Itoa(int(t)) + ": " + text, errno}
}

func hex(p uintptr) string { return "0x" + strconv.FormatUint(uint64(p), 16) }
