package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// pickTwo draws two LLC domains and takes the less loaded one.
type pickTwo struct{ sim.Base }

func init() {
	sim.Register("pick-two", "of two LLC domains drawn at random the one with less load, there the least loaded CPU",
		"Mitzenmacher, 2001; gh:sched-ext/scx#1549, #2037", func() sim.Policy { return pickTwo{} })
}

// Place draws.
func (p pickTwo) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID { return p.draw(m, t, from) }

// Wake stays if the last CPU is idle, else draws.
func (p pickTwo) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	if c := itself(m, t, t.Last); c != cpu.None {
		return c
	}
	return p.draw(m, t, t.Last)
}

// draw may draw one domain twice, and compares sums, whatever the domains' sizes.
func (pickTwo) draw(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	llcs := m.Topology().LLCs
	a, b := int32(m.Random(llcs)), int32(m.Random(llcs))
	if domainLoad(m, b) < domainLoad(m, a) {
		a = b
	}
	set := m.Topology().LLCMask(a)
	if c := m.Least(t, set, set.First()); c != cpu.None {
		return c
	}
	return m.AllowedNear(t, from)
}

func domainLoad(m *sim.Model, llc int32) (sum int) {
	for c := range m.In(m.Topology().LLCMask(llc), 0) {
		sum += m.Load(c)
	}
	return sum
}
