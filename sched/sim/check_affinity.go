package sim

import (
	"hearth/cpu"
	"hearth/process"
)

// checkAffinity: affinity-held. A context runs on a CPU that its mask allows, apart
// from the time in which the kick that ends that is on its way.
func (m *machine) checkAffinity() {
	for i := range m.cpus {
		v := &m.cpus[i]
		id := m.s.Current(v.id)
		if id == 0 || v.mode != modeUser {
			continue
		}
		allowed, chosen := m.allowed(id)
		if chosen || len(m.sc.Isolated) > 0 {
			m.checks.affinity.reach++
		}
		if !allowed.Has(v.id) && !m.kickOnItsWay(v.id) {
			m.fail("affinity-held", "%s runs on CPU %d, allowed are %v", m.on[id], v.id, &allowed)
		}
	}
}

// allowed returns the CPUs on which a context may run: its mask, without the CPUs
// that are isolated unless somebody chose that mask for a thread or it has no other.
func (m *machine) allowed(id process.ContextID) (allowed cpu.Mask, chosen bool) {
	x := m.s.Table().Context(id)
	chosen = x.Mask(&allowed)
	if chosen && x.Class() != process.Service {
		return allowed, chosen
	}
	shared := allowed
	for _, c := range m.sc.Isolated {
		shared.Clear(c)
	}
	for c := len(m.cpus); c < cpu.Max; c++ {
		shared.Clear(cpu.ID(c))
	}
	if !shared.IsEmpty() {
		allowed = shared
	}
	return allowed, chosen
}
