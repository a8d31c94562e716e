package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// pandemonium walks a list of near CPUs that leaves out the thread's own.
type pandemonium struct{ sim.Base }

func init() {
	sim.Register("pandemonium", "the nearest idle CPU by a list that begins with the SMT sibling and lacks the thread's own CPU",
		"gh:sched-ext/scx#3785", func() sim.Policy { return pandemonium{} })
}

// Place walks from the spawner.
func (pandemonium) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID { return nearest(m, t, from) }

// Wake walks from where t ran.
func (pandemonium) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return nearest(m, t, t.Last)
}

func nearest(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	for i := range m.Topology().Count - 1 {
		if c := m.Topology().Probe(from, i); m.Allowed(t, c) && m.Idle(c) {
			return c
		}
	}
	return m.AllowedNear(t, from)
}

// Idle takes from the fullest CPU, near ones first.
func (pandemonium) Idle(m *sim.Model, c cpu.ID) *sim.Thread { return stealOutwards(m, c) }
