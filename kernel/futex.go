package kernel

import (
	"hearth/process"
	"sync/atomic"
	"time"
	"unsafe"
)

// A futex wait checks the word and joins its bucket under the bucket's lock; a
// wake takes waiters off under the same lock. So a wake that follows a change
// of the word finds every waiter that saw the old value.

// Operations of the futex call and their modifiers.
const (
	futexWait       = 0
	futexWake       = 1
	futexRequeue    = 3
	futexCmpRequeue = 4
	futexWaitBits   = 9
	futexWakeBits   = 10
	futexOperation  = 127
	futexRealTime   = 256
	futexAnyBits    = 0xffffffff
)

// futex is the system call. blocked means that the caller waits and its result
// comes from its waker.
func (c *perCPU) futex(x *context, f *frame) (result int64, blocked bool) {
	address := uintptr(f.di)
	if address&3 != 0 {
		return -eINVAL, false
	}
	switch f.si & futexOperation {
	case futexWait:
		until, errno := timeoutAfter(uintptr(f.r10))
		if errno != 0 {
			return -errno, false
		}
		return c.futexWait(x, address, uint32(f.dx), until)
	case futexWaitBits:
		until, errno := timeoutAt(uintptr(f.r10), f.si&futexRealTime != 0)
		if errno != 0 || uint32(f.r9) != futexAnyBits {
			return -eINVAL, false
		}
		return c.futexWait(x, address, uint32(f.dx), until)
	case futexWake:
		return c.futexWake(address, uint32(f.dx)), false
	case futexWakeBits:
		if uint32(f.r9) != futexAnyBits {
			return -eINVAL, false
		}
		return c.futexWake(address, uint32(f.dx)), false
	case futexRequeue:
		return c.futexRequeue(address, f, false), false
	case futexCmpRequeue:
		return c.futexRequeue(address, f, true), false
	}
	return -eNOSYS, false
}

// futexWord returns where the kernel reads the word at a program's address, 0
// when the program may not read it. Page tables are never freed under a
// running program, so the walk needs no lock while the page is present.
func futexWord(address uintptr) *atomic.Uint32 {
	s := &programSpace
	s.lock.lock()
	at := s.place(address, process.Readable)
	s.lock.unlock()
	return (*atomic.Uint32)(unsafe.Pointer(at))
}

func (c *perCPU) futexWait(x *context, address uintptr, value uint32, until time.Duration) (int64, bool) {
	word := futexWord(address)
	if word == nil {
		return -eFAULT, false
	}
	b := bucketOf(address)
	b.lock()
	if word.Load() != value {
		b.unlock()
		return -eAGAIN, false
	}
	id := c.context()
	x.wait = wait{kind: waitFutex, queued: true, address: address}
	scheduler.Block(c.id, c.entry, until)
	b.append(id)
	b.unlock()
	c.traceBlock(id, until)
	return 0, true
}

// futexWake wakes up to n waiters of an address and returns how many.
func (c *perCPU) futexWake(address uintptr, n uint32) int64 {
	b := bucketOf(address)
	b.lock()
	woken := b.detach(address, n)
	b.unlock()
	return c.wakeChain(woken)
}

// actionsRoom is how many wake-ups fit into the scheduler's list of actions.
const actionsRoom = 16

// wakeChain wakes waiters that were taken off their list.
func (c *perCPU) wakeChain(id process.ContextID) int64 {
	n := int64(0)
	for id != 0 {
		// Once woken it may wait again elsewhere: read the link before.
		next := contextAt(id).wait.next
		contextAt(id).frame.ax = 0
		c.wake(id)
		id = next
		n++
		if n%actionsRoom == 0 {
			c.carryOut()
		}
	}
	return n
}

// wake makes a context runnable that the caller took off its wait list.
func (c *perCPU) wake(id process.ContextID) {
	c.trace.add(c, traceWake, id, uint32(scheduler.Table.Context(id).Home()), uint32(c.context()))
	scheduler.Wake(c.id, c.entry, id, &c.actions)
}

// futexRequeue wakes some waiters of one address and moves others to another,
// where a later wake finds them.
func (c *perCPU) futexRequeue(address uintptr, f *frame, compare bool) int64 {
	wakes, moves, to := uint32(f.dx), uint32(f.r10), uintptr(f.r8)
	word := futexWord(address)
	if word == nil || to&3 != 0 {
		return -eFAULT
	}
	from, target := bucketOf(address), bucketOf(to)
	lockBoth(from, target)
	if compare && word.Load() != uint32(f.r9) {
		unlockBoth(from, target)
		return -eAGAIN
	}
	woken := from.detach(address, wakes)
	moved := int64(0)
	for id := from.detach(address, moves); id != 0; moved++ {
		x := contextAt(id)
		next := x.wait.next
		x.wait.address, x.wait.queued = to, true
		target.append(id)
		id = next
	}
	unlockBoth(from, target)
	return c.wakeChain(woken) + moved
}
