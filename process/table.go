package process

import (
	"hearth/cpu"
	"sync/atomic"
)

// Table holds all processes, contexts and threads of a machine. Its zero value
// plus Init is ready; the kernel has a static one, a simulator as many as it likes.
type Table struct {
	freeContexts stack
	freeThreads  stack
	contextLinks [MaxContexts + 1]atomic.Uint32 // of the free list or of a reserve
	threadLinks  [MaxThreads + 1]atomic.Uint32
	processes    [MaxProcesses + 1]group
	contexts     [MaxContexts + 1]Context
	threads      [MaxThreads + 1]Thread
}

// group is what the table keeps of a process.
type group struct {
	reserve stack
	mask    affinity
}

// Init fills the free lists, lowest ids first, and gives every process the mask of
// all CPUs. Call it once, before anything else and on one CPU.
func (t *Table) Init() {
	var all cpu.Mask
	all.SetAll(cpu.Max)
	for p := range t.processes {
		t.processes[p].mask.store(&all, false)
	}
	for c := uint32(MaxContexts); c > 0; c-- {
		t.freeContexts.push(t.contextLinks[:], c)
	}
	for id := uint32(MaxThreads); id > 0; id-- {
		t.freeThreads.push(t.threadLinks[:], id)
	}
}

// ProcessMask copies p's affinity mask to m; it reports whether somebody asked for
// it, false for the default of all CPUs.
func (t *Table) ProcessMask(p ID, m *cpu.Mask) (chosen bool) {
	return t.processes[p].mask.load(m)
}

// SetProcessMask makes m the mask that p's later contexts and threads begin with.
func (t *Table) SetProcessMask(p ID, m *cpu.Mask) {
	t.processes[p].mask.store(m, true)
}

// PushReserve parks c, which carries no thread, for a later spawn in p. From here
// on another CPU may pop c and run it: the caller must have saved it and set it
// Blocked, and may not touch it any more.
func (t *Table) PushReserve(p ID, c ContextID) {
	if t.contexts[c].thread.Load() != 0 {
		panic(&faultReserveBusy)
	}
	t.processes[p].reserve.push(t.contextLinks[:], uint32(c))
}

// PopReserve takes the context that was parked last in p's reserve, 0 if there is
// none: the one whose stack and registers are likeliest still in a cache.
func (t *Table) PopReserve(p ID) ContextID {
	return ContextID(t.processes[p].reserve.pop(t.contextLinks[:]))
}
