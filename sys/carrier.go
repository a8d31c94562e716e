package sys

import (
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A carrier is a goroutine locked to its OS thread that carries one thread after
// another. Between two it is parked in the reserve and carries nothing of the
// last: affinity, name and class are the next one's.
type carrier struct {
	ready uint32 // futex word of its starters: the last start that has parked
	start uint32 // counts the goroutines that this entry was started with
	work  uint32 // futex word on Linux: the token handed over, 0 while it is parked

	thread  atomic.Int32 // the thread it carries, 0 for none
	index   int32
	tid     int32  // its OS thread
	code    int32  // exit code of its thread; touched by its goroutine only
	started uint32 // which start this goroutine is; likewise

	result parkResult // Hearth writes the next thread here

	mu    sync.Mutex // Linux: keeps thread from ending while another changes dress
	dress dress

	_ [64]byte // two carriers' words share no line
}

var (
	carriers     [MaxThreads + 1]carrier
	freeCarriers = newFullStack(MaxThreads)
	startedTotal atomic.Int64
	liveCarriers atomic.Int32
	carrierByG   gTable
)

// Carriers returns how many carriers were ever started: spawns that the reserve
// could not serve, and what Reserve added.
func Carriers() int { return int(startedTotal.Load()) }

// startCarrier starts one carrier and returns when it has parked, or on Hearth is
// about to; EAGAIN when there are as many carriers as threads may exist.
func startCarrier() syscall.Errno {
	l, ok := launchCarrier()
	if !ok {
		return syscall.EAGAIN
	}
	l.await()
	return 0
}

// launch is one start of a carrier. Its entry may be in its next start, and more,
// before the starter looks: a thread that ends by Exit takes its carrier with it.
type launch struct {
	carrier *carrier
	start   uint32
}

func launchCarrier() (launch, bool) {
	i := freeCarriers.pop()
	if i == 0 {
		return launch{}, false
	}
	c := &carriers[i]
	c.index = i
	c.start++
	l := launch{c, c.start}
	startedTotal.Add(1)
	liveCarriers.Add(1)
	go c.main(l.start)
	return l, true
}

// await returns when the carrier has parked, in this start or a later one.
func (l launch) await() {
	ready := &l.carrier.ready
	for {
		last := atomic.LoadUint32(ready)
		if int32(last-l.start) >= 0 {
			return
		}
		FutexWait(ready, last, Forever)
	}
}

// announce tells all starters that wait, of this start and of earlier ones.
func (c *carrier) announce() {
	if start := c.started; atomic.SwapUint32(&c.ready, start) != start {
		FutexWake(&c.ready, MaxThreads)
	}
}

func (c *carrier) main(start uint32) {
	runtime.LockOSThread()
	c.started = start
	c.tid = gettid()
	c.thread.Store(0)
	c.code = 0
	c.dress = dress{}
	carrierByG.add(gAddress(), c.index)
	defer c.abandon()
	for {
		c.run(c.park())
	}
}

// park ends the thread that c carries, if any, waits in the reserve and returns
// the token of the next job.
func (c *carrier) park() int32 {
	if onHearth {
		return c.hearthPark()
	}
	return c.linuxPark()
}

func (c *carrier) run(token int32) {
	j := collectJob(token)
	c.code = 0
	c.putOnName(j.name)
	if j.stackBytes > 0 {
		growStack(j.stackBytes)
	}
	j.fn()
}

// abandon runs when the carrier's goroutine unwinds. By Goexit its thread ends
// here and its OS thread with it. By a panic the program is about to end, and
// nothing may look as if the thread had ended well.
func (c *carrier) abandon() {
	if !unwoundByGoexit() {
		return
	}
	carrierByG.remove(gAddress())
	if onHearth {
		c.hearthEnd()
	} else {
		c.linuxEnd()
	}
	liveCarriers.Add(-1)
	freeCarriers.push(c.index)
}

// unwoundByGoexit tells the two ways apart without recovering, which would change
// what a panic prints.
func unwoundByGoexit() bool {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		frame, more := frames.Next()
		if !more || frame.Function == "runtime.gopanic" {
			return false
		}
		if frame.Function == "runtime.Goexit" {
			return true
		}
	}
}

// growStack makes the goroutine's stack at least so large, by using it.
//
//go:noinline
func growStack(bytes int) byte {
	var frame [4096]byte
	at := bytes & (len(frame) - 1)
	frame[at] = 1
	if bytes > len(frame) {
		return frame[at] + growStack(bytes-len(frame))
	}
	return frame[at]
}

func gettid() int32 {
	tid, _, _ := syscall.RawSyscall(syscall.SYS_GETTID, 0, 0, 0)
	return int32(tid)
}

func currentCarrier() *carrier {
	if i := carrierByG.find(gAddress()); i != 0 {
		return &carriers[i]
	}
	return nil
}

// word views an atomic as the futex word that it is.
func word(a *atomic.Uint32) *uint32 { return (*uint32)(unsafe.Pointer(a)) }
