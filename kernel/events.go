package kernel

import (
	"hearth/process"
	"time"
	"unsafe"
)

// epollEvent is Linux's packed structure, in words of 32 bits.
type epollEvent [3]uint32

// epollControl adds, changes or removes a watch of an event counter.
func epollControl(epoll, operation, fd uint64, at uintptr) int64 {
	const add, remove, change = 1, 2, 3
	var e epollEvent
	if operation != remove && !programSpace.copyIn(unsafe.Pointer(&e), at, unsafe.Sizeof(e)) {
		return -eFAULT
	}
	filesLock.lock()
	result := int64(0)
	switch f := fileOf(fd, fileEvent); {
	case fileOf(epoll, fileEpoll) == nil || fd >= files && fd >= consoles:
		result = -eBADF
	case f == nil:
		result = -ePERM // the console, as a plain file: use it blocking
	case operation == remove:
		f.watcher = 0
	case operation == add && f.watcher != 0:
		result = -eEXIST
	case operation == add || operation == change:
		f.watcher, f.mask = int32(epoll), e[0]
		f.data = uint64(e[1]) | uint64(e[2])<<32
	default:
		result = -eINVAL
	}
	filesLock.unlock()
	return result
}

// takeWaiters takes some of those who wait in the epoll that watches f off its
// list, and gives each its event. They are level-triggered: until a read clears the
// counter every later wait reports it too. more says that others wait still. The
// caller holds filesLock.
func (f *file) takeWaiters() (woken process.ContextID, more bool) {
	if f.watcher == 0 {
		return 0, false
	}
	epoll := &fileTable[f.watcher]
	woken = epoll.waiting
	last := process.ContextID(0)
	for n := 0; epoll.waiting != 0 && n < wakePiece; n++ {
		last = epoll.waiting
		x := contextAt(last)
		var e epollEvent
		found := readyEvent(f.watcher, &e)
		x.frame.ax = uint64(reportEvent(found, x.wait.address, &e))
		x.wait.queued = false
		epoll.waiting = x.wait.queue.next
	}
	if epoll.waiting != 0 {
		placeOf(epoll.waiting).previous = 0
		placeOf(last).next = 0
	}
	return woken, epoll.waiting != 0
}

// wakeForEvents wakes contexts that takeWaiters took off.
func (c *perCPU) wakeForEvents(id process.ContextID) {
	for id != 0 {
		next := placeOf(id).next
		c.wake(id)
		id = next
	}
}

// epollWait reports ready counters, waiting for milliseconds (< 0: for ever)
// while there are none.
func (c *perCPU) epollWait(x *context, f *frame) (int64, bool) {
	epoll, to, most := f.di, uintptr(f.si), int32(f.dx)
	if most <= 0 {
		return -eINVAL, false
	}
	var ready epollEvent
	filesLock.lock()
	e := fileOf(epoll, fileEpoll)
	if e == nil {
		filesLock.unlock()
		return -eBADF, false
	}
	found := readyEvent(int32(epoll), &ready)
	if found || int32(f.r10) == 0 {
		filesLock.unlock()
		return reportEvent(found, to, &ready), false
	}
	c.waitForEvents(x, int32(epoll), int32(f.r10), to)
	filesLock.unlock()
	return 0, true
}

// waitForEvents blocks the current context in an epoll instance. The caller
// holds filesLock.
func (c *perCPU) waitForEvents(x *context, epoll, milliseconds int32, to uintptr) {
	until := never
	if milliseconds > 0 {
		until = c.entry + time.Duration(milliseconds)*time.Millisecond
	}
	id, e := c.context(), &fileTable[epoll]
	x.wait = wait{kind: waitEvents, queued: true, epoll: epoll, queue: queued{next: e.waiting}, address: to}
	scheduler.Block(c.id, c.entry, until)
	if e.waiting != 0 {
		placeOf(e.waiting).previous = id
	}
	e.waiting = id
	c.traceBlock(id, until)
}

// readyEvent fills in one counter above zero that the epoll watches.
func readyEvent(epoll int32, e *epollEvent) bool {
	const readable = 1
	for i := firstFile; i < files; i++ {
		f := &fileTable[i]
		if f.kind == fileEvent && f.watcher == epoll && f.count > 0 && f.mask&readable != 0 {
			*e = epollEvent{readable, uint32(f.data), uint32(f.data >> 32)}
			return true
		}
	}
	return false
}

func reportEvent(found bool, to uintptr, e *epollEvent) int64 {
	if !found {
		return 0
	}
	if !programSpace.copyOut(to, unsafe.Pointer(e), unsafe.Sizeof(*e)) {
		return -eFAULT
	}
	return 1
}

// leaveEvents takes a context whose time has come off its epoll; false when an
// event was first.
func (x *context) leaveEvents() bool {
	filesLock.lock()
	queued := x.wait.queued
	if queued {
		unlinkWaiter(x)
		x.wait.queued = false
		x.frame.ax = 0
	}
	filesLock.unlock()
	return queued
}

// unlinkWaiter takes a context off its epoll's list.
func unlinkWaiter(x *context) {
	e, q := &fileTable[x.wait.epoll], &x.wait.queue
	if q.previous == 0 {
		e.waiting = q.next
	} else {
		placeOf(q.previous).next = q.next
	}
	if q.next != 0 {
		placeOf(q.next).previous = q.previous
	}
	if e.kind == fileClosing && e.waiting == 0 {
		closeOne(uint64(x.wait.epoll))
	}
}
