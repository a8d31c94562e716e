package sim

import "hearth/process"

// What runs is a register context. While a CPU has it in its registers, no other CPU
// may begin to run it: the invariant context-saved. Hearth's kernel saves at the
// beginning of an entry, most others where they switch: at the end of it.

// lateSaver is an engine of the second kind.
type lateSaver interface{ savesAtSwitch() }

// holds begins or goes on to run context id on v.
func (m *machine) holds(v *virtual, id process.ContextID) {
	held := &m.checks.saved.by[id]
	if *held != nil && *held != v {
		m.fail("context-saved", "CPU %d runs %s, which CPU %d has not saved", v.id, m.who(id), (*held).id)
	}
	*held = v
	v.held = id
}

// entered is the beginning of an entry of v.
func (m *machine) entered(v *virtual) {
	if _, late := m.s.(lateSaver); !late {
		m.saves(v)
	}
}

// saves stores what v has in its registers.
func (m *machine) saves(v *virtual) {
	if v.held != 0 && m.checks.saved.by[v.held] == v {
		m.checks.saved.by[v.held] = nil
	}
}

// passed is the end of an entry of v. If what it ran is to run elsewhere by then, the
// invariant was put to the test.
func (m *machine) passed(v *virtual) {
	if id := v.held; id != 0 && m.s.Current(v.id) != id {
		state := m.s.Table().Context(id).State()
		if state == process.Ready || state == process.InTransit || state == process.Running {
			m.checks.saved.reach++
		}
	}
	m.saves(v)
	v.held = 0
}
