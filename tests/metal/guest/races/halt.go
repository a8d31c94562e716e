package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"unsafe"

	"hearth/sys"
)

// haltWake has one CPU wake a thread of another that is about to halt, or has just
// halted, or is on its way: no alarm is set there, so a wake that is lost is lost
// for good. Every other stretch of rounds the waker waits, too.
func haltWake(c *contest) error {
	if cpus < 2 {
		return nil
	}
	if c.alone {
		defer quiet(cpus - 1)()
	}
	rounds, asleep := c.good("rounds"), c.good("asleep")
	p := &pair{alone: c.alone}
	t := &team{c: c}
	last, first := sys.MaskOf(cpus-1), sys.MaskOf(cpus-2)
	t.spawn(&last, p.sleep)
	t.spawn(&first, func() {
		d := newDice(1)
		aim := 0
		for round := uint32(1); ; round++ {
			more := c.more(int(round))
			late := aim + d.below(spread)
			p.await(round)
			pause(late)
			p.over.Store(!more)
			woken := p.wake(round)
			// A wake that finds nobody was too early. So it comes, more or less, while the
			// other CPU is between the beginning of the wait and the halt.
			if aim += 16; woken != 0 {
				aim = max(aim-32, 0)
			}
			asleep.Add(int64(woken))
			if rounds.Add(1); !more {
				return
			}
		}
	})
	return t.join()
}

// spread is how much the moment of a wake varies.
const spread = 256

// pair is two threads that take turns.
type pair struct {
	asleep, word uint32
	over         atomic.Bool
	alone        bool
}

func (p *pair) sleep() {
	for round := uint32(1); !p.over.Load(); round++ {
		atomic.StoreUint32(&p.asleep, round)
		if answers(round) {
			sys.FutexWake(&p.asleep, 1)
		}
		p.waitFor(&p.word, round)
	}
}

// await waits until the other one is about to sleep.
func (p *pair) await(round uint32) {
	if answers(round) {
		p.waitFor(&p.asleep, round)
	}
	for atomic.LoadUint32(&p.asleep) != round {
		relax()
	}
}

func (p *pair) wake(round uint32) int {
	atomic.StoreUint32(&p.word, round)
	return sys.FutexWake(&p.word, 1)
}

// waitFor waits until a word that only grows has come to a value. Alone it makes the
// bare system call, to be in the kernel sooner; besides other races it may not, since
// it would stop the collector.
func (p *pair) waitFor(word *uint32, value uint32) {
	for {
		seen := atomic.LoadUint32(word)
		if int32(seen-value) >= 0 {
			return
		}
		if !p.alone {
			_ = sys.FutexWait(word, seen, sys.Forever)
			continue
		}
		const waitPrivate = 128
		syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), waitPrivate, uintptr(seen), 0, 0, 0)
	}
}

// answers reports whether the waker sleeps, too, before this round.
func answers(round uint32) bool { return round/64%2 == 1 }

var paused atomic.Uint32

// pause does nothing for a moment.
func pause(n int) {
	for range n {
		paused.Load()
	}
}

// relax does nothing, and lets an emulator that runs one CPU after the other go on
// with the next.
func relax()

// quiet keeps the runtime off CPU last: its collector, and its own contexts, whose
// timers would end a halt that ought to last. The function that it returns ends this.
func quiet(last int) func() {
	runtime.GC()
	percent := debug.SetGCPercent(-1)
	var others, every sys.Mask
	for cpu := range cpus {
		every.Set(cpu)
		if cpu != last {
			others.Set(cpu)
		}
	}
	confine(&others)
	return func() {
		confine(&every)
		debug.SetGCPercent(percent)
	}
}

// confine restricts every context that there is to the CPUs of a mask.
func confine(mask *sys.Mask) {
	for tid := range sys.MaxThreads {
		_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(tid), unsafe.Sizeof(*mask), uintptr(unsafe.Pointer(mask)))
		if errno != 0 && errno != syscall.ESRCH {
			panic(fmt.Sprintf("context %d: %v", tid, errno))
		}
	}
}
