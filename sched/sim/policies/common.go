package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// idleSearch looks for a CPU for t, beginning at one; cpu.None if it finds none.
type idleSearch func(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID

// firstOf returns the first answer of searches that is a CPU, cpu.None if none is.
func firstOf(m *sim.Model, t *sim.Thread, from cpu.ID, searches ...idleSearch) cpu.ID {
	for _, search := range searches {
		if c := search(m, t, from); c != cpu.None {
			return c
		}
	}
	return cpu.None
}

// itself returns from if it is idle.
func itself(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	if m.Allowed(t, from) && m.Idle(from) {
		return from
	}
	return cpu.None
}

// itsCore returns from if all of its core is idle.
func itsCore(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	if m.Allowed(t, from) && m.CoreIdle(from) {
		return from
	}
	return cpu.None
}

// coreNear returns a CPU of an idle core in from's LLC domain.
func coreNear(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return m.Find(t, m.Topology().Near(from), from, m.CoreIdle)
}

// cpuNear returns an idle CPU of from's LLC domain.
func cpuNear(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return m.Find(t, m.Topology().Near(from), from, m.Idle)
}

// coreAnywhere returns a CPU of an idle core.
func coreAnywhere(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return m.Find(t, nil, from, m.CoreIdle)
}

// cpuAnywhere returns an idle CPU.
func cpuAnywhere(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return m.Find(t, nil, from, m.Idle)
}

// stay returns from, or the next CPU that is allowed.
func stay(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID { return m.AllowedNear(t, from) }

// stealOutwards takes from the fullest CPU of c's LLC domain, else of the machine.
func stealOutwards(m *sim.Model, c cpu.ID) *sim.Thread {
	if t := m.StealBusiest(m.Topology().Near(c), c, 1); t != nil {
		return t
	}
	return m.StealBusiest(nil, c, 1)
}
