package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// lavd has a queue for each LLC domain and looks for idle CPUs within it. What it
// directs at a CPU that it took for idle stays there.
type lavd struct{ sim.Base }

func init() {
	sim.Register("lavd", "an idle CPU of the LLC domain, else the domain's queue; others look in when they run out of work",
		"gh:sched-ext/scx#3119, #3659, #3622", func() sim.Policy { return lavd{} })
}

// Start makes a queue for each LLC domain.
func (lavd) Start(m *sim.Model) {
	for llc := range m.Topology().LLCs {
		m.Share(m.Topology().LLCMask(int32(llc)))
	}
}

// Place searches from the spawner.
func (lavd) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return seemsIdleNear(m, t, m.AllowedNear(t, from))
}

// Wake searches from where t ran.
func (lavd) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return seemsIdleNear(m, t, m.AllowedNear(t, t.Last))
}

// seemsIdleNear returns a CPU near c that runs nothing, c first, or the shared queue.
// What such a CPU is about to run is not looked at, and the kick is for idle CPUs only.
func seemsIdleNear(m *sim.Model, t *sim.Thread, c cpu.ID) cpu.ID {
	found := m.Find(t, m.Topology().Near(c), c, func(i cpu.ID) bool { return m.Running(i) == nil })
	if found == cpu.None && !m.Allowed(t, t.Last) {
		return c
	}
	return found
}

// Idle looks into the other domains' queues.
func (lavd) Idle(m *sim.Model, c cpu.ID) *sim.Thread {
	for llc := range m.Topology().LLCs {
		if t := m.StealShared(m.Topology().LLCMask(int32(llc)).First(), c); t != nil {
			return t
		}
	}
	return nil
}
