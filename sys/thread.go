package sys

import (
	"runtime"
	"syscall"
)

// Thread names a thread, 1 to MaxThreads; the number may name another one after
// the thread was joined, or ended if it is detached. 0 stands for the caller's OS
// thread where a method says so.
type Thread int32

// Relation says where a new thread should start relative to its spawner.
type Relation uint32

// The relations.
const (
	Pair     Relation = iota // works with its spawner: same LLC if there is room
	Stranger                 // has nothing to do with it: anywhere
)

// Class is what a thread's claim to a CPU is.
type Class uint32

// The classes. On Linux they are SCHED_OTHER, SCHED_FIFO at priority 1 and SCHED_IDLE.
const (
	Fair Class = iota
	RealTime
	Background
)

// Options are the properties of a new thread; the zero value is the default one.
type Options struct {
	Relation   Relation   // ignored on Linux
	Gang       *Gang      // if not nil, the thread belongs to it, whatever Relation says; ignored on Linux
	Class      Class      // RealTime may need a privilege on Linux
	Weight     int        // of its class, who wants the same CPU shares it by weight: 1 to MaxWeight, 0 is 100; ignored on Linux
	Mask       *Mask      // CPUs it may run on, copied; nil: those of the process
	Name       string     // at most 15 bytes
	StackBytes int        // stack that is there before the function starts; it still grows beyond
	Detached   bool       // nobody joins it; its number is free once it ended
	Placed     *Placement // if not nil, filled before SpawnWith returns
}

// Placement is how the kernel chose a new thread's CPU.
type Placement struct {
	CPU  int       // where it starts; -1 on Linux, which does not tell
	Term int       // the term of Key that decided; -1 if none did
	Key  [8]uint32 // load, awake, busy siblings, capacity, home, far, exit latency, distance
}

// MaxWeight is the largest weight of a thread.
const MaxWeight = 10000

const (
	maxName       = 15
	maxStackBytes = 512 << 20 // half of the runtime's own limit for a goroutine
)

// Spawn runs fn on a new thread with default options; see SpawnWith.
func Spawn(fn func()) (Thread, error) { return SpawnWith(Options{}, fn) }

// SpawnWith runs fn on a new thread: a goroutine locked to an OS thread of which
// fn is the sole tenant. The thread ends when fn returns or calls Exit or
// runtime.Goexit, and must then be joined unless it is detached. A panic in fn
// that nobody recovers ends the program, as in any goroutine.
//
// It fails, with nothing left behind, on EAGAIN when MaxThreads threads exist, on
// EINVAL for a mask without an online CPU or options out of range, on EPERM when
// Linux refuses the class.
func SpawnWith(o Options, fn func()) (Thread, error) {
	if err := o.check(fn); err != nil {
		return 0, err
	}
	token := takeJob(&o, fn)
	if token == 0 {
		return 0, o.refused(syscall.EAGAIN)
	}
	t, errno := enlist(token, &o)
	if errno != 0 {
		dropJob(token)
		return 0, o.refused(errno)
	}
	return t, nil
}

// Join waits until t has ended and returns its exit code. Only one thread may
// join another, and only once: ESRCH if there is no such thread (a detached one is
// gone when it ends), EINVAL if another one joins it already or it is detached,
// EDEADLK if t is the caller.
func (t Thread) Join() (code int, err error) {
	c, errno := join(t)
	if errno != 0 {
		return 0, joinError(t, errno)
	}
	return int(c), nil
}

// Self returns the caller's thread, 0 if the caller is a goroutine that no Spawn
// started. It makes no system call.
func Self() Thread {
	if c := currentCarrier(); c != nil {
		return Thread(c.thread.Load())
	}
	return 0
}

// Exit ends the calling thread with the given exit code after its deferred
// functions. It costs the thread's carrier: a thread that ends often with code 0
// should return instead.
func Exit(code int) {
	c := currentCarrier()
	if c == nil {
		panic("sys: exit: the caller is no thread that Spawn started")
	}
	c.code = int32(code)
	runtime.Goexit()
}
