package policies

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched/sim"
	"time"
)

// linux is the fair class of Linux: a fork goes to the idlest group of CPUs, a wake to
// an idle CPU of one LLC domain, the previous CPU's or the waker's; busy CPUs have idle
// ones balance at their tick. Capacities, energy and NUMA distances are not modelled.
type linux struct {
	sim.Base
	node bool // the idle search goes on over the LLC domains of the node
	past bool // before the search minded the scheduling domain
}

func init() {
	const source = "kernel.org, Documentation/scheduler/{sched-domains,sched-design-CFS,sched-eevdf}.rst; kernel/sched/fair.c v6.12"
	sim.Register("linux", "fork to the idlest group, wake by wake_affine and the idle search in one LLC domain, balance when idle and at ticks",
		source, func() sim.Policy { return &linux{} })
	sim.Register("linux-sis-node", "linux whose idle search goes on in the other LLC domains of the node",
		"LKML, sched/fair: SIS_NODE, 2023", func() sim.Policy { return &linux{node: true} })
	sim.Register("linux-6.7", "linux whose search for an idle SMT sibling does not mind the scheduling domain",
		"LKML, 2024-01-10", func() sim.Policy { return &linux{past: true} })
}

const (
	linuxSlice = 2800 * time.Microsecond // base_slice_ns on 8 CPUs and more
	cacheHot   = 500 * time.Microsecond  // sched_migration_cost_ns
)

// idle: a CPU that runs only SCHED_IDLE threads counts as idle, too.
func (linux) idle(m *sim.Model, c cpu.ID) bool {
	if m.Idle(c) {
		return true
	}
	r := m.Running(c)
	if r == nil || r.Class != process.Background || !m.Online(c) {
		return false
	}
	for _, t := range m.Waiting(c) {
		if t.Class != process.Background {
			return false
		}
	}
	return true
}

// Before orders by virtual time.
func (linux) Before(a, b *sim.Thread) bool { return a.Virtual < b.Virtual }

// Slice is the base slice.
func (linux) Slice(*sim.Model, *sim.Thread) time.Duration { return linuxSlice }

// Preempts: the one behind by more than a third of a slice goes first.
func (linux) Preempts(m *sim.Model, t, running *sim.Thread) bool {
	return t.Virtual+linuxSlice/3 < running.Virtual
}

// renorm brings t's virtual time near that of c's queue; a sleeper may claim half a
// slice.
func (linux) renorm(m *sim.Model, t *sim.Thread, c cpu.ID) {
	ref := m.Running(c)
	if ref == nil && len(m.Waiting(c)) > 0 {
		ref = m.Waiting(c)[0]
	}
	if ref != nil {
		t.Virtual = min(max(t.Virtual, ref.Virtual-linuxSlice/2), ref.Virtual+linuxSlice)
	}
}
