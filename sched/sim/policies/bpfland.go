package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// bpfland directs threads at idle cores only; without SMT it takes every CPU for
// partly busy.
type bpfland struct{ sim.Base }

func init() {
	sim.Register("bpfland", "an idle core, near ones first, else a shared queue; a CPU without SMT is never an idle core",
		"gh:sched-ext/scx#1405, #1468", func() sim.Policy { return bpfland{} })
}

// Start makes the shared queue.
func (bpfland) Start(m *sim.Model) { m.Share(nil) }

// Place searches from the spawner.
func (b bpfland) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID { return b.pick(m, t, from) }

// Wake searches from where t ran.
func (b bpfland) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID { return b.pick(m, t, t.Last) }

func (bpfland) pick(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	fullyIdle := func(c cpu.ID) bool { return m.Topology().CoreSize(c) > 1 && m.CoreIdle(c) }
	if m.Allowed(t, from) && fullyIdle(from) {
		return from
	}
	if c := m.Find(t, m.Topology().Near(from), from, fullyIdle); c != cpu.None {
		return c
	}
	if c := m.Find(t, nil, from, fullyIdle); c != cpu.None {
		return c
	}
	if !m.Allowed(t, t.Last) {
		return m.AllowedNear(t, from)
	}
	return cpu.None
}
