package main

import (
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"

	"hearth/sys"
)

// hold fills R8 to R15 and others with numbers made of seed and compares them over
// and over, with a system call before each comparison if call is 1.
func hold(seed uint64, rounds, call int) (bad int)

// holdVectors fills the vector registers and compares them over and over.
func holdVectors(seed uint64, rounds int) (bad int)

// asked are signals that Go programs do not use themselves, one for each victim.
var asked = []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGHUP, syscall.SIGWINCH}

// signals sends signals to threads that make system calls and keep numbers in their
// registers, while the runtime preempts goroutines by signals of its own and more of
// those come than it asked for. Each signal that is waited for must come.
func signals(c *contest) error {
	sent, storm := c.good("delivered"), c.good("storm")
	damaged := c.wrong("damaged_registers")
	var over atomic.Bool
	var tids [4]atomic.Int64
	t := &team{c: c}
	for i := range asked {
		t.spawn(nil, func() {
			tids[i].Store(int64(syscall.Gettid()))
			for seed := uint64(i) << 32; !over.Load(); seed += 64 {
				damaged.Add(int64(hold(seed, 20, i&1) + holdVectors(seed, 20)))
				if i >= 2 {
					sys.Yield()
				}
				giveWay(8)
				relax()
			}
		})
	}
	for i := range tids {
		for tids[i].Load() == 0 {
			runtime.Gosched()
			relax()
		}
	}
	senders := &team{c: c}
	for i, number := range asked {
		came := make(chan os.Signal, 1)
		signal.Notify(came, number)
		defer signal.Stop(came)
		senders.spawn(nil, func() {
			for round := 0; c.more(round); round++ {
				send(&tids[i], number)
				<-came
				sent.Add(1)
			}
		})
	}
	senders.spawn(nil, func() {
		d := newDice(7)
		for round := 0; c.more(round); round++ {
			send(&tids[d.below(len(tids))], syscall.SIGURG)
			if storm.Add(1); round%512 == 511 {
				runtime.GC()
			}
			pause(d.below(500))
			relax()
		}
	})
	err := senders.join()
	over.Store(true)
	if err != nil {
		return err
	}
	return t.join()
}

// giveWay lets the runtime stop a goroutine that is nearly always in assembly, where
// it cannot: the check is at the beginning of a function that needs stack.
//
//go:noinline
func giveWay(depth int) (sum int) {
	var frame [64]int
	for i := range frame {
		frame[i] = depth * i
	}
	return frame[depth]
}

func send(tid *atomic.Int64, number syscall.Signal) {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(os.Getpid()), uintptr(tid.Load()), uintptr(number)); errno != 0 {
		panic(errno)
	}
}
