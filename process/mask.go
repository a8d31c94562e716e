package process

import (
	"hearth/cpu"
	"sync/atomic"
)

// affinity is a mask that one CPU writes while others read it. A reader never sees
// half of a change: version is odd while a writer is at work and differs
// afterwards, so the reader begins again.
type affinity struct {
	version atomic.Uint32
	chosen  atomic.Uint32 // 1: somebody asked for this mask; 0: the default
	words   [len(cpu.Mask{})]atomic.Uint64
}

// store makes the mask m. Writers take turns; no writer can be interrupted, so
// the wait of the second one is short.
func (a *affinity) store(m *cpu.Mask, chosen bool) {
	v := a.lock()
	for i := range m {
		a.words[i].Store(m[i])
	}
	a.chosen.Store(bit(chosen))
	a.version.Store(v + 2) // pairs with whole
}

// lock makes version odd and returns the even value before.
func (a *affinity) lock() uint32 {
	for {
		if v := a.version.Load(); a.tryLock(v) {
			return v
		}
	}
}

// tryLock makes version odd if it is still v and no other writer is at work.
func (a *affinity) tryLock(v uint32) bool {
	return v&1 == 0 && a.version.CompareAndSwap(v, v+1)
}

// load copies the mask to m and reports whether somebody asked for it.
func (a *affinity) load(m *cpu.Mask) (chosen bool) {
	for {
		v := a.version.Load()
		for i := range m {
			m[i] = a.words[i].Load()
		}
		chosen = a.chosen.Load() != 0
		if a.whole(v) {
			return chosen
		}
	}
}

// whole reports whether what was loaded since version was v is one writer's work:
// none was at work then (pairs with tryLock), and none has begun since (pairs with
// store).
func (a *affinity) whole(v uint32) bool { return v&1 == 0 && a.version.Load() == v }

// inherit makes a the mask of a context that has asked for none: its process's.
func (a *affinity) inherit(of *affinity) {
	if a.version.Load() != 0 && a.chosen.Load() == 0 && of.chosen.Load() == 0 {
		return // both are the default; saves a copy in most spawns
	}
	var m cpu.Mask
	chosen := of.load(&m)
	a.store(&m, chosen)
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
