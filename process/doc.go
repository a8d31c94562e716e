// Package process says what processes and threads are: tables, states, affinity
// masks, homes, exit, join, reap.
//
// There are two tables. A context is what runs: it has registers (the kernel
// keeps them), a state, an affinity mask and a home CPU. A thread is an identity:
// an id, a name, a class and an exit code; it occupies a context while it lives
// and stays, as a zombie, until it is joined. A context without a thread is one of
// the language runtime's own, or a parked one in its process's reserve.
//
// Every operation may be called on any CPU at any time. There are no locks: free
// lists and reserves are compare-and-swap stacks of indices, a state is one word.
// The only wait is that of a mask's second writer for its first one. Everything is
// restricted Go: no allocation, no pointer inside the table, no initialiser.
package process

const (
	// MaxProcesses is the largest process ID; each is a group of threads.
	MaxProcesses = 256
	// MaxThreads is the largest number of threads, zombies among them.
	MaxThreads = 4096
	// RuntimeContexts is the number of contexts beyond one for each thread: they
	// keep the language runtime alive when all threads are taken.
	RuntimeContexts = 512
	// MaxContexts is the largest ContextID.
	MaxContexts = MaxThreads + RuntimeContexts
)

// ID names a process. 0 means none; process 1 is the image.
type ID uint16

// ContextID names a context, from 1 to MaxContexts; 0 means none.
type ContextID int32

// ThreadID names a thread, from 1 to MaxThreads; 0 means none. The id of a joined
// or detached and ended thread is given to a later one.
type ThreadID int32

// Class is the kind of service that a context gets from the scheduler.
type Class uint8

const (
	// Fair threads take turns.
	Fair Class = iota
	// RealTime threads run before all others, first come first served.
	RealTime
	// Background threads run when nothing else wants the CPU, and a 64th of the time
	// if it always does.
	Background
	// Service is the class of contexts without a thread: they take turns with Fair
	// ones, are no one's sibling and stay off isolated CPUs.
	Service
)

// Weights of fair and background threads: of two that want the same CPU, each gets
// time in proportion to its weight.
const (
	DefaultWeight = 100
	MaxWeight     = 10000 // the smallest is 1
)
