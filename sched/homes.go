package sched

import (
	"hearth/cpu"
	"hearth/process"
	"sync/atomic"
)

// homes counts, exactly, the contexts with a thread that call a CPU home, by
// process, and the same by core. Parked threads raise no load; their homes stand in
// for it.
type homes struct {
	byCPU  [process.MaxProcesses + 1][cpu.Max]atomic.Int32
	byCore [process.MaxProcesses + 1][cpu.Max]atomic.Int32
	all    [process.MaxProcesses + 1]atomic.Int32

	// The same for searches: the CPUs that are a home, by slot, and the groups all of
	// whose cores, or CPUs, are.
	are      [process.MaxProcesses + 1]slotSet
	allCores [process.MaxProcesses + 1]sharedSet
	allCPUs  [process.MaxProcesses + 1]sharedSet
}

// slotSet and sharedSet are sets, of CPUs by their slots and of groups, that any CPU
// may read and change.
type (
	slotSet   [maxSlots / 64]atomic.Uint64
	sharedSet [cpu.Max / 64]atomic.Uint64
)

// of returns the homes of p in a group.
func (h *homes) of(p process.ID, x *group) uint64 {
	return h.are[p][x.base>>6].Load() >> (x.base & 63) & x.all
}

// covered returns the w-th word of the groups that have no CPU of a level of homes.
func (h *homes) covered(p process.ID, w int32, home int) uint64 {
	switch home {
	case 0:
		return h.allCores[p][w].Load()
	case 1:
		return h.allCPUs[p][w].Load()
	}
	return 0
}

// addHome counts n homes more of p on c.
func (s *Scheduler) addHome(p process.ID, c cpu.ID, n int32) {
	h := &s.homes
	now := h.byCPU[p][c].Add(n)
	h.byCore[p][s.Topology.At[c].Core].Add(n)
	h.all[p].Add(n)
	if now == 0 || now == n {
		s.settleHome(p, c)
	}
}

// settleHome makes the bit of a home agree with the count, and the hints of its group
// with the bits, each in the way of settleHint.
func (s *Scheduler) settleHome(p process.ID, c cpu.ID) {
	g := s.groups.of[c]
	slot := s.groups.all[g].base + s.groups.bit[c]
	count := &s.homes.byCPU[p][c]
	for !agree(&s.homes.are[p][slot>>6], slot, count.Load() > 0) {
	}
	for !agree(&s.homes.allCores[p][g>>6], g, s.coversCores(p, g)) {
	}
	for !agree(&s.homes.allCPUs[p][g>>6], g, s.coversCPUs(p, g)) {
	}
}

// agree reports whether bit i&63 of w is as it should be, and writes it if not.
func agree(w *atomic.Uint64, i int32, should bool) bool {
	b := uint64(1) << (i & 63)
	if (w.Load()&b != 0) == should {
		return true
	}
	if should {
		w.Or(b)
	} else {
		w.And(^b)
	}
	return false
}

func (s *Scheduler) coversCores(p process.ID, g int32) bool {
	x := &s.groups.all[g]
	are := s.homes.of(p, x)
	return are|s.groups.siblingsOf(x, are) == x.all
}

func (s *Scheduler) coversCPUs(p process.ID, g int32) bool {
	x := &s.groups.all[g]
	return s.homes.of(p, x) == x.all
}

// setHome makes c, or cpu.None, the home of id, which the caller owns. The new home
// counts before the old one stops to: a placement meanwhile sees one too many
// rather than one too few.
func (s *Scheduler) setHome(id process.ContextID, c cpu.ID) {
	x, n := s.Table.Context(id), &s.nodes[id]
	old, counted := x.Home(), n.flags&flagCounted != 0
	n.flags &^= flagCounted
	if c != cpu.None && x.Thread() != 0 && x.Class() != process.Service {
		s.addHome(x.Process(), c, 1)
		n.flags |= flagCounted
	}
	x.SetHome(c)
	if counted {
		s.addHome(x.Process(), old, -1)
	}
}

// Vacate tells that the thread of c's current context is about to exit: its home no
// longer counts. Call it before the thread's end is published, so that a joiner's
// next spawn does not see it.
func (s *Scheduler) Vacate(c cpu.ID) {
	id := s.locals[c].current
	if id == 0 {
		panic(&faultNoCurrent)
	}
	x, n := s.Table.Context(id), &s.nodes[id]
	if n.flags&flagCounted != 0 {
		n.flags &^= flagCounted
		s.addHome(x.Process(), c, -1)
	}
}

// Homes returns how many of p's threads call c home.
func (s *Scheduler) Homes(p process.ID, c cpu.ID) int { return int(s.homes.byCPU[p][c].Load()) }

// CoreHomes returns how many of p's threads call a CPU of the core home.
func (s *Scheduler) CoreHomes(p process.ID, core int32) int {
	return int(s.homes.byCore[p][core].Load())
}

// WalkLimit is the largest number of siblings that WalkHomes reads.
const WalkLimit = 64

// WalkHomes adds to found the homes of a process's contexts, given newest first, as
// far as they lie in cover, and returns how many it read. It stops once found covers
// cover, and after WalkLimit reads. It is the form of homes that needs no counts;
// for up to WalkLimit threads the counts must agree with it.
func WalkHomes(t *process.Table, newest []process.ContextID, cover, found *cpu.Mask) (read int) {
	left := cover.Count()
	for _, id := range newest {
		if left == 0 || read == WalkLimit {
			break
		}
		read++
		home := t.Context(id).Home()
		if cover.Has(home) && !found.Has(home) {
			found.Set(home)
			left--
		}
	}
	return read
}
