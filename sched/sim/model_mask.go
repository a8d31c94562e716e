package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"slices"
)

// setMask gives a context a mask and moves it if it may not stay.
func (m *Model) setMask(id process.ContextID, mask *cpu.Mask) bool {
	if !m.online.Intersects(mask) {
		return false
	}
	x, t := m.table.Context(id), m.threads[id]
	x.SetMask(mask)
	t.asOf = 0
	if m.Allowed(t, t.Last) {
		return true
	}
	m.dislodge(t)
	return true
}

// dislodge moves t, which may not stay where it waits or runs.
func (m *Model) dislodge(t *Thread) {
	switch m.table.Context(t.id).State() {
	case process.Running:
		t.leave = true
		if t.Last != m.at {
			m.kick(&m.cpus[t.Last], sched.KickMask)
		}
	case process.Ready:
		if !t.unsaved { // else its CPU looks when it has saved it
			m.remask(t)
		}
	}
}

func (m *Model) remask(t *Thread) {
	if m.hooks.remask != nil {
		m.hooks.remask.Remask(m, t)
		return
	}
	to, q := m.choose(t, m.policy.Wake(m, t, m.at), t.Last)
	m.migrate(t, to, q, sched.MoveMask)
}

// offline takes c off the machine, unless it is the last one: what waits and runs
// there goes where the policy wakes it. Threads that are blocked stay c's until they are
// woken, and c goes on firing their alarms.
func (m *Model) offline(c cpu.ID) bool {
	if !m.online.Has(c) || m.online.Count() == 1 {
		return false
	}
	m.online.Clear(c)
	m.changes++
	m.unplugged = true
	s := &m.cpus[c]
	for _, t := range slices.Clone(m.all(c)) {
		if !t.unsaved { // else c looks when it has saved it
			m.remask(t)
		}
	}
	if s.current != nil {
		s.current.leave = true
	}
	if c != m.at {
		m.kick(s, sched.KickOnline)
	}
	return true
}

// comeBack makes c a CPU that may run threads again; it looks for work at once.
func (m *Model) comeBack(c cpu.ID) bool {
	if m.online.Has(c) {
		return false
	}
	m.online.Set(c)
	m.changes++
	if c != m.at {
		m.kick(&m.cpus[c], sched.KickOnline)
	}
	for _, t := range m.threads {
		if t != nil && !m.Allowed(t, t.Last) {
			m.dislodge(t)
		}
	}
	return true
}
