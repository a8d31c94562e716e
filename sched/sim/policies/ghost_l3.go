package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// ghostL3 is an agent of ghOSt with one queue that scans for idle CPUs outwards from
// where a thread ran: core, L3, machine.
type ghostL3 struct{ sim.Base }

func init() {
	sim.Register("ghost-l3", "one agent and one queue; an idle CPU of the core, then the L3, then the machine",
		"Humphries et al., ghOSt, SOSP 2021, section 4.4", func() sim.Policy { return ghostL3{} })
}

// Start makes the agent's queue.
func (ghostL3) Start(m *sim.Model) { m.Share(nil) }

// Place scans from the spawner.
func (ghostL3) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return firstOf(m, t, from, sibling, cpuNear, cpuAnywhere)
}

// Wake scans from where t ran.
func (ghostL3) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return firstOf(m, t, t.Last, itself, sibling, cpuNear, cpuAnywhere)
}

// sibling returns an idle CPU of from's core.
func sibling(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return m.Find(t, m.Topology().Siblings(from), from, m.Idle)
}
