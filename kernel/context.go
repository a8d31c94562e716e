package kernel

import (
	"hearth/boot"
	"hearth/process"
	"sync/atomic"
)

// context is the kernel's side of a process.Context: its registers, what it
// waits for, and its signals.
type context struct {
	frame    frame
	wait     wait
	progress progress // of a long call; its own CPU's

	// Signals. pending is set by any CPU; the rest belongs to the CPU that
	// runs the context.
	pending   atomic.Uint64
	masked    uint64
	stackBase uintptr // alternate signal stack
	stackSize uintptr
}

// wait says what a blocked context waits for. What guards queue and queued is
// the lock of the list that the kind names; the other words are written by the
// context's own CPU before the wait is published.
type wait struct {
	kind    waitKind
	queued  bool // on a futex bucket or an epoll's list
	queue   queued
	address uintptr // futex: the word; others: where the result goes
	thread  process.ThreadID
	epoll   int32 // events: the descriptor

	spurious spuriousWaking // only in a kernel that fails on purpose
}

type waitKind uint8

const (
	waitSleep waitKind = iota // only its alarm wakes it
	waitFutex
	waitEvents
	waitJoin
	waitReserve
)

// contexts are indexed by process.ContextID; 0 stays unused.
var contexts [process.MaxContexts + 1]context

func contextAt(id process.ContextID) *context { return &contexts[id] }

// prepareExtended gives the context a page for its extended state, filled with
// the state after reset; false when no frame is left. The page stays with the
// slot for good.
func (x *context) prepareExtended() bool {
	if x.frame.extended == 0 {
		page := boot.RAM.Take()
		if page == 0 {
			return false
		}
		x.frame.extended = boot.Direct(page)
	}
	clearWords(x.frame.extended, boot.PageSize)
	const control, mxcsr = 0, 24
	store16(x.frame.extended+control, defaultFCW)
	store32(x.frame.extended+mxcsr, defaultMXCSR)
	return true
}

// forget clears what the slot's last context left behind.
func (x *context) forget() {
	x.wait = wait{}
	x.progress = progress{}
	x.pending.Store(0)
	x.masked, x.stackBase, x.stackSize = 0, 0, 0
}
