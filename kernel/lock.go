package kernel

import (
	"hearth/boot"
	"sync/atomic"
)

// spinLock guards a short stretch of kernel code, with interrupts off. A CPU
// that spins goes on serving TLB flushes, since the holder may be waiting for
// this CPU's.
type spinLock struct{ held atomic.Uint32 }

func (l *spinLock) lock() {
	for !l.held.CompareAndSwap(0, 1) {
		for l.held.Load() != 0 {
			boot.Pause()
			me().serveFlush()
		}
	}
}

func (l *spinLock) unlock() { l.held.Store(0) }

// lockBounded is lock for the crash path, where the holder may be the CPU that
// crashed: it goes on without the lock after a while.
func (l *spinLock) lockBounded() {
	for i := 0; i < 1_000_000 && !l.held.CompareAndSwap(0, 1); i++ {
		boot.Pause()
	}
}
