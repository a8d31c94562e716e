package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
)

// checkCore: free-core-first. A spawn or a move does not send t to a core on which
// another thread is runnable while a core is free on which t may run: one all of whose
// CPUs sleep with nothing posted. Runnable is what runs there, waits or is on its way;
// background threads do not count unless t is one. A wake is no such decision: it goes
// home.
// later are the events of the same step that came after it, whose threads are there
// already.
func (m *machine) checkCore(t *thread, to cpu.ID, later []sched.Event) {
	all := m.s.Table().Context(t.context).Class() == process.Background
	if m.sc.NoOracle || m.out.top.Cores == m.out.top.Count && !m.doubled(t, to, all, later) {
		return
	}
	free := m.freeCore(t)
	if free == cpu.None {
		return
	}
	m.checks.core.reach++
	switch {
	case !m.doubled(t, to, all, later):
	case !m.own():
		m.count("free-core-first") // nobody else promises it
	default:
		m.fail("free-core-first", "%s is sent to CPU %d, whose core has another one, while the core of CPU %d is free", t, to, free)
	}
}

// doubled reports whether another thread is runnable on the core of CPU to.
func (m *machine) doubled(t *thread, to cpu.ID, all bool, later []sched.Event) bool {
	n := 0
	core := m.out.top.Siblings(to)
	for c := core.First(); c != cpu.None; c = core.Next(c) {
		if !m.online.Has(c) {
			continue // what is there is about to leave
		}
		face := m.s.Look(c)
		n += int(face.Load)
		if all {
			n += int(face.Background)
		}
		if id := face.Current; id != 0 && id != t.context && (all || m.s.Table().Context(id).Class() != process.Background) {
			n++
		}
	}
	for i := range later {
		if e := &later[i]; (e.Kind == sched.EventMigrate || e.Kind == sched.EventWake) && core.Has(e.To) {
			n--
		}
	}
	return n > 1 // t is one of them
}

// freeCore returns a CPU on which t may run and whose core is free, cpu.None if there
// is none.
func (m *machine) freeCore(t *thread) cpu.ID {
	mask, _ := m.allowed(t.context)
	mask.And(&m.asleep)
	for c := mask.First(); c != cpu.None; c = mask.Next(c) {
		if m.coreSleeps(c) {
			return c
		}
	}
	return cpu.None
}

func (m *machine) coreSleeps(c cpu.ID) bool {
	core := m.out.top.Siblings(c)
	for i := core.First(); i != cpu.None; i = core.Next(i) {
		if !m.online.Has(i) {
			continue
		}
		if face := m.s.Look(i); !sleeps(face.Idle) || face.Load+face.Background > 0 {
			return false
		}
	}
	return true
}
