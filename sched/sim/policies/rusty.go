package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// rusty searches the domain of the last CPU without asking whether that is online.
type rusty struct{ sim.Base }

func init() {
	sim.Register("rusty", "an idle CPU of the last CPU's domain, else the last CPU, online or not",
		"gh:sched-ext/scx#751, #725", func() sim.Policy { return rusty{} })
}

// Place searches the spawner's domain.
func (rusty) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return firstOf(m, t, from, itself, cpuNear, stay)
}

// Wake searches the domain of the last CPU.
func (rusty) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	if c := firstOf(m, t, t.Last, itself, cpuNear); c != cpu.None {
		return c
	}
	if m.Online(t.Last) {
		return m.AllowedNear(t, t.Last)
	}
	return t.Last // a domain with nobody in it
}

// Idle takes from the fullest CPU of the domain.
func (rusty) Idle(m *sim.Model, c cpu.ID) *sim.Thread {
	return m.StealBusiest(m.Topology().Near(c), c, 1)
}
