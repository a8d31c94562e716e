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
}

func (h *homes) add(p process.ID, c cpu.ID, core, n int32) {
	h.byCPU[p][c].Add(n)
	h.byCore[p][core].Add(n)
	h.all[p].Add(n)
}

// setHome makes c, or cpu.None, the home of id, which the caller owns. The new home
// counts before the old one stops to: a placement meanwhile sees one too many
// rather than one too few.
func (s *Scheduler) setHome(id process.ContextID, c cpu.ID) {
	x, n := s.Table.Context(id), &s.nodes[id]
	old, counted := x.Home(), n.flags&flagCounted != 0
	n.flags &^= flagCounted
	if c != cpu.None && x.Thread() != 0 && x.Class() != process.Service {
		s.homes.add(x.Process(), c, s.Topology.At[c].Core, 1)
		n.flags |= flagCounted
	}
	x.SetHome(c)
	if counted {
		s.homes.add(x.Process(), old, s.Topology.At[old].Core, -1)
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
		s.homes.add(x.Process(), c, s.Topology.At[c].Core, -1)
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
