package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
	"time"
)

// nest keeps work on few, warm cores: a primary nest of those in use, a reserve of
// those used lately, and Linux's choice if both are busy.
type nest struct {
	linux
	primary, reserve cpu.Mask
}

func init() {
	sim.Register("nest", "an idle CPU of the nest in use, then of the reserve, then as linux; CPUs idle for two ticks leave the nest",
		"Lawall et al., OS scheduling with Nest, EuroSys 2022", func() sim.Policy { return &nest{} })
}

// Place looks in the nests from the spawner's CPU on.
func (n *nest) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	if c := n.inNests(m, t, from); c != cpu.None {
		return c
	}
	return n.widen(n.linux.Place(m, t, from))
}

// Wake looks in the nests from where t ran on.
func (n *nest) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	if c := n.inNests(m, t, t.Last); c != cpu.None {
		return c
	}
	return n.widen(n.linux.Wake(m, t, from))
}

func (n *nest) inNests(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	n.shrink(m)
	if c := n.find(m, t, &n.primary, from); c != cpu.None {
		return c
	}
	c := n.find(m, t, &n.reserve, from)
	if c != cpu.None {
		n.reserve.Clear(c)
		n.primary.Set(c)
	}
	return c
}

// find returns an idle CPU of a nest, of from's LLC domain first.
func (n *nest) find(m *sim.Model, t *sim.Thread, set *cpu.Mask, from cpu.ID) cpu.ID {
	near := *set
	near.And(m.Topology().Near(from))
	if c := m.Find(t, &near, from, m.Idle); c != cpu.None {
		return c
	}
	return m.Find(t, set, from, m.Idle)
}

// widen adds a CPU that linux chose to the reserve.
func (n *nest) widen(c cpu.ID) cpu.ID {
	if !n.primary.Has(c) {
		n.reserve.Set(c)
	}
	return c
}

// shrink sends CPUs that idle for two ticks to the reserve.
func (n *nest) shrink(m *sim.Model) {
	const lately = 2 * sim.TickPeriod
	for c := n.primary.First(); c != cpu.None; c = n.primary.Next(c) {
		if m.Idle(c) && m.Now()-m.IdleSince(c) > time.Duration(lately) {
			n.primary.Clear(c)
			n.reserve.Set(c)
		}
	}
}
