package sim

import (
	"hearth/cpu"
	"hearth/process"
)

// checkAffinity: affinity-held. A context runs on a CPU that its mask allows, apart
// from the time in which the kick that ends that is on its way.
func (m *machine) checkAffinity(v *virtual) {
	id := m.s.Current(v.id)
	if id == 0 || v.mode != modeUser {
		return
	}
	allowed, chosen := m.allowed(id)
	if chosen || len(m.sc.Isolated) > 0 {
		m.checks.affinity.reach++
	}
	if !allowed.Has(v.id) && !m.kickOnItsWay(v.id) && !m.recalling() {
		m.fail("affinity-held", "%s runs on CPU %d, allowed are %v", m.who(id), v.id, &allowed)
	}
}

// recalling reports whether a CPU that came back has yet to call what runs elsewhere
// for want of it.
func (m *machine) recalling() bool {
	for i := range m.cpus {
		if m.s.Look(cpu.ID(i)).Recalls {
			return true
		}
	}
	return false
}

// allowed returns the CPUs on which a context may run: the online ones of its mask,
// or all if it has none, without the CPUs that are isolated unless somebody chose
// that mask for a thread or it has no other.
func (m *machine) allowed(id process.ContextID) (allowed cpu.Mask, chosen bool) {
	x := m.s.Table().Context(id)
	chosen = x.Mask(&allowed)
	allowed.And(&m.online)
	astray := allowed.IsEmpty()
	if astray {
		allowed = m.online
	}
	if chosen && !astray && x.Class() != process.Service {
		return allowed, chosen
	}
	shared := allowed
	shared.AndNot(&m.isolated)
	if !shared.IsEmpty() {
		allowed = shared
	}
	return allowed, chosen
}
