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
		return c.futexWake(x, f)
	case futexWakeBits:
		if uint32(f.r9) != futexAnyBits {
			return -eINVAL, false
		}
		return c.futexWake(x, f)
	case futexRequeue:
		return c.futexRequeue(x, f, false)
	case futexCmpRequeue:
		return c.futexRequeue(x, f, true)
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
	scheduler.Block(c.id, c.entry, c.injectWaking(x, until))
	b.append(id)
	b.unlock()
	c.traceBlock(id, until)
	return 0, true
}

// wakePiece bounds the waiters that one kernel entry wakes or moves.
const wakePiece = 8

// futexWake wakes up to as many waiters of an address as the call says, and
// returns how many. Those count that waited when the call began: one that is
// woken and waits again in between is not woken a second time.
func (c *perCPU) futexWake(x *context, f *frame) (result int64, blocked bool) {
	p, b := &x.progress, bucketOf(uintptr(f.di))
	begun := x.resumed(f)
	b.lock()
	if !begun {
		p.sequence = b.tickets
	}
	woken := b.detach(uintptr(f.di), min(uint32(f.dx)-p.woken, wakePiece), p.sequence)
	b.unlock()
	n := c.wakeChain(woken)
	p.woken += uint32(n)
	if n < wakePiece || p.woken == uint32(f.dx) {
		return x.finish(int64(p.woken))
	}
	return x.again(f)
}

// wakeChain wakes waiters that were taken off their list and returns how many.
func (c *perCPU) wakeChain(id process.ContextID) int64 {
	n := int64(0)
	for ; id != 0; n++ {
		// Once woken it may wait again elsewhere: read the link before.
		next := placeOf(id).next
		contextAt(id).frame.ax = 0
		c.wake(id)
		id = next
	}
	return n
}

// wake makes a context runnable that the caller took off its wait list.
func (c *perCPU) wake(id process.ContextID) {
	c.trace.add(c, traceWake, id, uint32(scheduler.Table.Context(id).Home()), uint32(c.context()))
	scheduler.Wake(c.id, c.entry, id, &c.actions)
}

// futexRequeue wakes some waiters of one address and moves others to another,
// where a later wake finds them; it returns how many of both. The word is
// compared when the call begins.
func (c *perCPU) futexRequeue(x *context, f *frame, compare bool) (result int64, blocked bool) {
	p, address, to := &x.progress, uintptr(f.di), uintptr(f.r8)
	begun := x.resumed(f)
	word := futexWord(address)
	if word == nil || to&3 != 0 {
		return x.finish(-eFAULT)
	}
	from, target := bucketOf(address), bucketOf(to)
	lockBoth(from, target)
	if !begun {
		p.sequence = from.tickets
		if compare && word.Load() != uint32(f.r9) {
			unlockBoth(from, target)
			return x.finish(-eAGAIN)
		}
	}
	woken := from.detach(address, min(uint32(f.dx)-p.woken, wakePiece), p.sequence)
	moves := min(uint32(f.r10)-p.moved, wakePiece)
	if woken != 0 && uint32(f.dx)-p.woken > wakePiece {
		moves = 0 // there are more to wake first
	}
	moved := moveTo(target, to, from.detach(address, moves, p.sequence))
	unlockBoth(from, target)
	woke := uint32(c.wakeChain(woken))
	p.woken += woke
	p.moved += moved
	if woke == wakePiece || moved == wakePiece {
		return x.again(f)
	}
	return x.finish(int64(p.woken) + int64(p.moved))
}

// moveTo gives waiters that detach returned another address, whose bucket target
// is, and returns how many there were. The caller holds both buckets' locks.
func moveTo(target *bucket, address uintptr, id process.ContextID) (n uint32) {
	for ; id != 0; n++ {
		x := contextAt(id)
		next := x.wait.queue.next
		x.wait.address, x.wait.queued = address, true
		target.append(id)
		id = next
	}
	return n
}
