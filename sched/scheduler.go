package sched

import (
	"hearth/cpu"
	"hearth/process"
	"sync/atomic"
	"time"
)

// Scheduler is the state of one machine: fixed arrays that refer to each other by
// index. The zero value is ready for Init. It is some 4 MiB and holds no pointer.
type Scheduler struct {
	// These come first, and are whole lines each, so that no two of them share one.
	handles   [cpu.Max]handle
	locals    [cpu.Max]local
	nodes     [process.MaxContexts + 1]node
	summaries [cpu.Max]summary // by group

	Topology cpu.Topology  // read only after Init
	Table    process.Table // the machine's processes

	present    cpu.Mask // every CPU of the topology. Read only after Init
	online     cpuSet   // CPUs that contexts may run on
	isolated   cpuSet   // CPUs for contexts whose mask was asked for and names them
	onlines    atomic.Int32
	astray     atomic.Uint32 // 1: a context may run where its mask forbids, for want of an online CPU
	slowness   [cpu.Max]uint16
	idleStates [MaxIdleStates]IdleState // read only once a CPU is online
	idleCount  int32                    // of idleStates
	isolates   atomic.Uint32            // 1: there are isolated CPUs
	pollBudget time.Duration            // read only once a CPU is online
	pollers    [cpu.Max]atomic.Uint32   // by LLC domain: the CPU + 1 that polls although no wakes come
	homes      homes

	policy Policy
	costs  [3]uint32 // nanoseconds: of a home on the sibling, on the CPU itself, of another LLC domain

	groups    groups
	isolation [cpu.Max]atomic.Uint64 // by group: isolated CPUs
	hints     [cpu.Max / 64]hints
	latency   [latencies]atomic.Uint32 // exit latencies, see latencySlot
	rough     atomic.Uint32            // 1: there are more of them
	shared    atomic.Int32             // online CPUs that are not isolated
}

// Init copies the machine's topology and empties the table. Call it once, before
// anything else and on one CPU.
func (s *Scheduler) Init(top *cpu.Topology) {
	s.Topology = *top
	s.present.SetAll(top.Count)
	s.Table.Init()
	s.groups.build(&s.Topology)
	s.groups.classify(&s.Topology, &s.slowness)
}

// SetSlowness says how much slower than the machine's fastest CPU c is, in any
// unit; all CPUs are 0 unless told. Call it before c is online.
func (s *Scheduler) SetSlowness(c cpu.ID, slowness uint16) {
	s.slowness[c] = slowness
	s.groups.classify(&s.Topology, &s.slowness)
}

// SetExitLatency says how long c takes to leave the state in which it halts, rounded
// to nanoseconds below 4 s.
func (s *Scheduler) SetExitLatency(c cpu.ID, d time.Duration) {
	s.handles[c].latency.Store(uint32(d))
}

// SetIsolated sets c apart: from now on it is a candidate only for a context whose
// mask somebody asked for and that names it, and for Service contexts only if their
// mask leaves nothing else.
func (s *Scheduler) SetIsolated(c cpu.ID) {
	if !s.isolated.add(c) {
		return
	}
	s.isolates.Store(1)
	g, b := s.groups.of[c], uint64(1)<<s.groups.bit[c]
	s.isolation[g].Or(b)
	if s.summaries[g].online.Load()&b != 0 {
		s.shared.Add(-1)
	}
}

// Start makes the new context id run on c, which is online and runs nothing: the
// machine's first context.
func (s *Scheduler) Start(c cpu.ID, id process.ContextID, now time.Duration) {
	s.setHome(id, c)
	s.change(id, process.New, process.Running)
	l := &s.locals[c]
	l.current = id
	l.accounted, l.sliceEnd = now, now+Slice
	s.nodes[id].band = bandOf(s.Table.Context(id).Class())
}

// Current returns the context that runs on c, 0 if none does.
func (s *Scheduler) Current(c cpu.ID) process.ContextID { return s.locals[c].current }

// change moves a context that the caller owns to another state.
func (s *Scheduler) change(id process.ContextID, from, to process.State) {
	if !s.Table.SetState(id, from, to) {
		panic(&faultNotOwner)
	}
}
