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
		if !allowed.Has(v.id) && !m.kickOnItsWay(v.id) && !m.recalling() {
			m.fail("affinity-held", "%s runs on CPU %d, allowed are %v", m.on[id], v.id, &allowed)
		}
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
	var online cpu.Mask
	for i := range m.cpus {
		if m.s.IsOnline(cpu.ID(i)) {
			online.Set(cpu.ID(i))
		}
	}
	astray := !allowed.Intersects(&online)
	if astray {
		allowed = online
	}
	allowed.And(&online)
	if chosen && !astray && x.Class() != process.Service {
		return allowed, chosen
	}
	shared := allowed
	for _, c := range m.sc.Isolated {
		shared.Clear(c)
	}
	if !shared.IsEmpty() {
		allowed = shared
	}
	return allowed, chosen
}
