package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// p2dq sends a thread that may not run everywhere to its last CPU's own queue, which
// nobody else takes from, and leaves it there when its mask changes.
type p2dq struct{ sim.Base }

func init() {
	sim.Register("p2dq", "idle CPUs for threads that may run anywhere; others wait in their last CPU's queue, whatever becomes of their mask",
		"gh:sched-ext/scx#2014, #1678, #3076", func() sim.Policy { return p2dq{} })
}

// Start makes the queue of those that may run anywhere.
func (p2dq) Start(m *sim.Model) { m.Share(nil) }

// Place searches from the spawner.
func (p2dq) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	c := firstOf(m, t, from, itself, coreNear, cpuNear, coreAnywhere, cpuAnywhere)
	if c == cpu.None && affine(m, t) {
		return m.AllowedNear(t, from)
	}
	return c
}

// Wake searches from where t ran, unless t may not run everywhere.
func (p2dq) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	if affine(m, t) {
		return m.AllowedNear(t, t.Last)
	}
	return firstOf(m, t, t.Last, itself, coreNear, cpuNear, coreAnywhere, cpuAnywhere)
}

// affine reports whether t may not run on every CPU.
func affine(m *sim.Model, t *sim.Thread) bool {
	for c := range m.In(nil, 0) {
		if m.Online(c) && !m.Isolated(c) && !m.Allowed(t, c) {
			return true
		}
	}
	return false
}

// Remask leaves t in the queue that it is in.
func (p2dq) Remask(*sim.Model, *sim.Thread) {}
