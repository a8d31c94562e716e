package kernel

import "sync/atomic"

// spinLock guards a short stretch of kernel code, with interrupts off. A CPU
// that spins goes on serving TLB flushes, since the holder may be waiting for
// this CPU's.
type spinLock struct{ held atomic.Uint32 }

func (l *spinLock) lock() {
	for !l.held.CompareAndSwap(0, 1) {
		for turn := uint32(0); l.held.Load() != 0; turn++ {
			me().spin(turn)
		}
	}
}

func (l *spinLock) unlock() { l.held.Store(0) }
