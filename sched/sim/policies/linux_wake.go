package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
	"time"
)

// flips is how often a thread changed whom it wakes, halved each second.
type flips struct {
	n     int
	last  *sim.Thread
	since time.Duration
}

func flipsOf(t *sim.Thread) *flips {
	if t.Data == nil {
		t.Data = &flips{}
	}
	return t.Data.(*flips)
}

// record notes that waker wakes t.
func record(m *sim.Model, waker, t *sim.Thread) {
	f := flipsOf(waker)
	if m.Now() > f.since+time.Second {
		f.n, f.since = f.n/2, m.Now()
	}
	if f.last != t {
		f.last = t
		f.n++
	}
}

// wide: waker has many partners, and they are not one of its kind, so that pulling
// them to it would pack them.
func wide(m *sim.Model, waker, t *sim.Thread, from cpu.ID) bool {
	factor := m.Topology().LLCSize(from)
	master, slave := flipsOf(waker).n, flipsOf(t).n
	if master < slave {
		master, slave = slave, master
	}
	return slave >= factor && master >= slave*factor
}

// Wake chooses between the previous CPU and the waker's and looks for an idle CPU
// around it.
func (l *linux) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	target := m.AllowedNear(t, t.Last)
	if waker := m.Running(from); waker != nil && waker != t {
		record(m, waker, t)
		if m.Allowed(t, from) && !wide(m, waker, t, from) {
			target = l.affine(m, target, from)
		}
	}
	c := l.idleSibling(m, t, target)
	l.renorm(m, t, c)
	return c
}

// affine returns from if the thread had better run there than on prev.
func (l *linux) affine(m *sim.Model, prev, from cpu.ID) cpu.ID {
	switch {
	case l.idle(m, from) && m.Near(from, prev):
		if l.idle(m, prev) {
			return prev
		}
		return from
	case l.idle(m, prev):
		return prev
	case m.Load(from) < m.Load(prev):
		return from
	}
	return prev
}

// idleSibling returns an idle CPU of target's LLC domain: target, the thread's last
// CPU, an idle core, the last CPU's SMT sibling, any; target if none is idle.
func (l *linux) idleSibling(m *sim.Model, t *sim.Thread, target cpu.ID) cpu.ID {
	idle := func(c cpu.ID) bool { return l.idle(m, c) }
	near := m.Topology().Near(target)
	if idle(target) {
		return target
	}
	if m.Near(target, t.Last) && m.Allowed(t, t.Last) && idle(t.Last) {
		return t.Last
	}
	smt := m.Topology().CoreSize(target) > 1
	if smt {
		if c := m.Find(t, near, target, m.CoreIdle); c != cpu.None {
			return c
		}
		if c := l.idleSMT(m, t, target); c != cpu.None {
			return c
		}
	}
	if c := m.Find(t, near, target, idle); c != cpu.None {
		return c
	}
	if l.node {
		if c := m.Find(t, nil, target, idle); c != cpu.None {
			return c
		}
	}
	return target
}

// idleSMT returns an idle SMT sibling of c; once that did not mind whether the
// sibling was in c's scheduling domain.
func (l *linux) idleSMT(m *sim.Model, t *sim.Thread, c cpu.ID) cpu.ID {
	for i := range m.In(m.Topology().Siblings(c), c) {
		if m.Idle(i) && (m.Allowed(t, i) || l.past && m.InMask(t, i)) {
			return i
		}
	}
	return cpu.None
}
