package sys

import (
	"sync"
	"sync/atomic"
)

// gTable finds a carrier by its goroutine's descriptor, without a lock. The
// runtime never moves or frees a descriptor, but gives it to another goroutine
// later: an entry is removed before its goroutine ends.
type gTable struct {
	mu    sync.Mutex                 // held by add and remove
	slots [2 * tableSlots]gTableSlot // at most half full, so a probe ends soon
}

type gTableSlot struct {
	g     atomic.Uint64 // 0 never used, 1 removed
	index atomic.Int32
}

const (
	tableSlots = MaxThreads
	gRemoved   = 1
)

// slotOf spreads descriptors, which lie hundreds of bytes apart.
func slotOf(g uintptr) int {
	return int(uint64(g) * 0x9e3779b97f4a7c15 >> 32 % (2 * tableSlots))
}

func (t *gTable) find(g uintptr) int32 {
	for i, probes := slotOf(g), 0; probes < len(t.slots); i, probes = after(i), probes+1 {
		switch t.slots[i].g.Load() {
		case uint64(g):
			return t.slots[i].index.Load()
		case 0:
			return 0
		}
	}
	return 0
}

// add stores the index before the descriptor that publishes it.
func (t *gTable) add(g uintptr, index int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slotOf(g)
	for t.slots[i].g.Load() > gRemoved {
		i = after(i)
	}
	t.slots[i].index.Store(index)
	t.slots[i].g.Store(uint64(g))
}

// remove also clears the removed entries that nothing stands behind: no probe
// needs to pass them any more.
func (t *gTable) remove(g uintptr) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slotOf(g)
	for t.slots[i].g.Load() != uint64(g) {
		i = after(i)
	}
	t.slots[i].g.Store(gRemoved)
	for t.slots[after(i)].g.Load() == 0 && t.slots[i].g.Load() == gRemoved {
		t.slots[i].g.Store(0)
		i = (i + len(t.slots) - 1) % len(t.slots)
	}
}

func after(slot int) int { return (slot + 1) % (2 * tableSlots) }
