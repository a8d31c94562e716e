package sys

import (
	"sync/atomic"
	"syscall"
)

// The thread table and the reserve as Hearth's kernel keeps them, in user space.
// A record's state word is also what its joiner waits on.
type linuxThread struct {
	state   atomic.Uint32
	carrier atomic.Int32
	class   atomic.Uint32
	code    int32 // valid once threadEnded is set
}

// Bits of linuxThread.state; 0 is a free record. Live and ended exclude each
// other; claimed and detached exclude each other.
const (
	threadLive     = 1
	threadEnded    = 2
	threadClaimed  = 4 // one thread joins it
	threadDetached = 8
)

var (
	threads     [MaxThreads + 1]linuxThread
	freeThreads = newFullStack(MaxThreads)
	reserve     = newIndexStack(MaxThreads)
)

func threadRecord(t Thread) *linuxThread {
	if t < 1 || t > MaxThreads {
		return nil
	}
	return &threads[t]
}

// linuxSpawn has the outcomes of Hearth's call spawn.
func linuxSpawn(token int32, o *Options) (Thread, syscall.Errno) {
	t := freeThreads.pop()
	if t == 0 {
		return 0, syscall.EAGAIN
	}
	i := reserve.pop()
	if i == 0 {
		freeThreads.push(t)
		return 0, syscall.EBUSY
	}
	c := &carriers[i]
	if errno := c.wear(o); errno != 0 {
		reserve.push(i)
		freeThreads.push(t)
		return 0, errno
	}
	if o.Placed != nil {
		*o.Placed = Placement{CPU: -1, Term: -1}
	}
	state := uint32(threadLive)
	if o.Detached {
		state |= threadDetached
	}
	threads[t].carrier.Store(i)
	threads[t].class.Store(uint32(o.Class))
	threads[t].state.Store(state)
	c.thread.Store(t)
	atomic.StoreUint32(&c.work, uint32(token))
	FutexWake(&c.work, 1)
	return Thread(t), 0
}

// linuxPark joins the reserve before it publishes the end: who has joined the
// thread finds its carrier there. From the push on, c may already be the next
// thread's.
func (c *carrier) linuxPark() int32 {
	if !c.undressClass() {
		c.retire()
	}
	old, code := c.leaveThread(), c.code
	atomic.StoreUint32(&c.work, 0)
	reserve.push(c.index)
	endThread(old, code)
	c.announce()
	for {
		if token := atomic.LoadUint32(&c.work); token != 0 {
			return int32(token)
		}
		FutexWait(&c.work, 0, Forever)
	}
}

// linuxEnd ends the thread of a carrier that will not park.
func (c *carrier) linuxEnd() { endThread(c.leaveThread(), c.code) }

// leaveThread waits for whoever is changing the thread's affinity.
func (c *carrier) leaveThread() Thread {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Thread(c.thread.Swap(0))
}

func endThread(t Thread, code int32) {
	if t == 0 {
		return
	}
	r := &threads[t]
	r.code = code
	state := r.state.Load()
	for !r.state.CompareAndSwap(state, state&^threadLive|threadEnded) {
		state = r.state.Load()
	}
	switch {
	case state&threadDetached != 0:
		freeThread(t)
	case state&threadClaimed != 0:
		FutexWake(word(&r.state), 1)
	}
}

func freeThread(t Thread) {
	threads[t].state.Store(0)
	freeThreads.push(int32(t))
}

// linuxJoin has the outcomes of Hearth's call join.
func linuxJoin(t Thread) (int32, syscall.Errno) {
	r := threadRecord(t)
	if r == nil {
		return 0, syscall.ESRCH
	}
	if errno := r.claim(t); errno != 0 {
		return 0, errno
	}
	for {
		state := r.state.Load()
		if state&threadEnded != 0 {
			break
		}
		FutexWait(word(&r.state), state, Forever)
	}
	code := r.code
	freeThread(t)
	return code, 0
}

func (r *linuxThread) claim(t Thread) syscall.Errno {
	for {
		state := r.state.Load()
		switch {
		case state == 0:
			return syscall.ESRCH
		case t == Self():
			return syscall.EDEADLK
		case state&(threadClaimed|threadDetached) != 0:
			return syscall.EINVAL
		}
		if r.state.CompareAndSwap(state, state|threadClaimed) {
			return 0
		}
	}
}
