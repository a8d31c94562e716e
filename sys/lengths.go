package sys

import (
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// EntryLengths says how long Hearth's kernel was entered for one purpose: from
// where its own code begins to where it goes back into a program or halts.
type EntryLengths struct {
	Name    string // the system call or the interrupt
	Count   uint64
	Longest time.Duration
	// Buckets are a histogram. Entries as long as the last bound or longer are in
	// the last bucket.
	Buckets []LengthBucket
}

// LengthBucket counts the entries that were shorter than Below and not shorter
// than the bucket before it.
type LengthBucket struct {
	Below time.Duration // its upper bound
	Count uint64        // entries
}

// lengthRecord is the answer of Hearth's call lengths.
type lengthRecord struct {
	count, longest uint64
	buckets, below [16]uint64
}

// ReadEntryLengths returns the lengths of all entries since boot, by purpose,
// those that never came left out; ENOSYS on Linux, which keeps no such record.
func ReadEntryLengths() ([]EntryLengths, error) {
	if !onHearth {
		return nil, &Error{"lengths", "Linux keeps no such record", syscall.ENOSYS}
	}
	var all []EntryLengths
	for kind, kinds := uintptr(0), uintptr(1); kind < kinds; kind++ {
		var r lengthRecord
		for first := 0; first < runtime.NumCPU(); first += lengthCPUs {
			var errno syscall.Errno
			if kinds, errno = r.add(kind, first); errno != 0 {
				return nil, &Error{"lengths", errno.Error(), errno}
			}
		}
		if r.count > 0 {
			all = append(all, r.lengths(nameOfEntry(kind)))
		}
	}
	return all, nil
}

// lengthCPUs is how many CPUs the kernel tells of at once.
const lengthCPUs = 32

// add adds what the kernel knows of a kind on some CPUs, and returns how many kinds
// there are.
func (r *lengthRecord) add(kind uintptr, first int) (kinds uintptr, errno syscall.Errno) {
	var part lengthRecord
	kinds, _, errno = syscall.RawSyscall6(callLengths, kind, uintptr(unsafe.Pointer(&part)), unsafe.Sizeof(part), uintptr(first), 0, 0)
	if errno == 0 {
		r.merge(&part)
	}
	return kinds, errno
}

// merge adds another record of the same kind.
func (r *lengthRecord) merge(part *lengthRecord) {
	r.count += part.count
	r.longest = max(r.longest, part.longest)
	r.below = part.below
	for i, n := range part.buckets {
		r.buckets[i] += n
	}
}

func (r *lengthRecord) lengths(name string) EntryLengths {
	l := EntryLengths{Name: name, Count: r.count, Longest: time.Duration(r.longest)}
	for i, count := range r.buckets {
		l.Buckets = append(l.Buckets, LengthBucket{time.Duration(r.below[i]), count})
	}
	return l
}

// Where the kinds of entries begin, as the kernel numbers them.
const (
	firstHearthKind = 512
	firstVectorKind = 576
)

// nameOfEntry names a kind of entry.
func nameOfEntry(kind uintptr) string {
	names, number, other := linuxCalls, kind, "call "
	switch {
	case kind >= firstVectorKind:
		names, number, other = vectors, kind-firstVectorKind, "vector "
	case kind >= firstHearthKind:
		names, number = hearthCalls, kind-firstHearthKind+callHello
	}
	if name := names[number]; name != "" {
		return name
	}
	return other + strconv.Itoa(int(number))
}

var linuxCalls = map[uintptr]string{
	syscall.SYS_READ: "read", syscall.SYS_WRITE: "write", syscall.SYS_CLOSE: "close", syscall.SYS_MMAP: "mmap",
	syscall.SYS_MPROTECT: "mprotect", syscall.SYS_MUNMAP: "munmap", syscall.SYS_RT_SIGACTION: "rt_sigaction",
	syscall.SYS_RT_SIGPROCMASK: "rt_sigprocmask", syscall.SYS_RT_SIGRETURN: "rt_sigreturn", syscall.SYS_MADVISE: "madvise",
	syscall.SYS_NANOSLEEP: "nanosleep", syscall.SYS_GETPID: "getpid", syscall.SYS_CLONE: "clone", syscall.SYS_EXIT: "exit",
	syscall.SYS_KILL: "kill", syscall.SYS_FCNTL: "fcntl", syscall.SYS_SIGALTSTACK: "sigaltstack", syscall.SYS_PRCTL: "prctl",
	syscall.SYS_ARCH_PRCTL: "arch_prctl", syscall.SYS_GETTID: "gettid", syscall.SYS_FUTEX: "futex",
	syscall.SYS_SCHED_SETAFFINITY: "sched_setaffinity", syscall.SYS_SCHED_GETAFFINITY: "sched_getaffinity",
	syscall.SYS_SCHED_YIELD: "sched_yield", syscall.SYS_CLOCK_GETTIME: "clock_gettime", syscall.SYS_EXIT_GROUP: "exit_group",
	syscall.SYS_EPOLL_WAIT: "epoll_wait", syscall.SYS_EPOLL_CTL: "epoll_ctl", syscall.SYS_EPOLL_PWAIT: "epoll_pwait",
	syscall.SYS_EPOLL_CREATE1: "epoll_create1", syscall.SYS_EVENTFD2: "eventfd2", syscall.SYS_TGKILL: "tgkill",
	syscall.SYS_OPENAT: "openat", syscall.SYS_PRLIMIT64: "prlimit64", firstHearthKind - 1: "other call",
}

var hearthCalls = map[uintptr]string{
	callHello: "hello", callNull: "null", callSpawn: "spawn", callPark: "park", callJoin: "join",
	callSetAffinity: "thread affinity", callTopology: "topology", callStats: "stats", callSelf: "self", callInfo: "info",
	callMark: "mark", callThreadInfo: "thread info", callClockBase: "clock base", callLengths: "lengths", callMemory: "memory",
	callClocks: "clocks", callSetOnline: "set online", callOnline: "online",
}

var vectors = map[uintptr]string{
	0: "divide error", 1: "debug", 3: "breakpoint", 6: "invalid opcode", 13: "general protection", 14: "page fault",
	16: "x87 error", 19: "SIMD error", 64: "alarm", 65: "kick", 66: "flush", 67: "other vector", 68: "boot", 69: "going on",
}
