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
	return claimNear(m, t, m.AllowedNear(t, from))
}

// Wake searches from where t ran.
func (lavd) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return claimNear(m, t, m.AllowedNear(t, t.Last))
}

// claimNear returns a CPU near c whose idle bit it could take, c first, or the shared
// queue. A pinned thread goes to its CPU, whose bit it leaves alone: so somebody else
// may take that CPU for idle, and the kick, which is for idle CPUs only, does nothing.
func claimNear(m *sim.Model, t *sim.Thread, c cpu.ID) cpu.ID {
	if m.AllowedMask(t).Count() == 1 {
		return c
	}
	found := m.Find(t, m.Topology().Near(c), c, m.Claim)
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
