package sched

import (
	"hearth/cpu"
	"hearth/process"
	"sync/atomic"
)

// cpuSet is a set of CPUs that any CPU may read and change.
type cpuSet [len(cpu.Mask{})]atomic.Uint64

// add reports whether c was not in the set before.
func (b *cpuSet) add(c cpu.ID) bool { return b.flip(c, 0) }

// remove reports whether c was in the set before.
func (b *cpuSet) remove(c cpu.ID) bool { return b.flip(c, 1) }

// flip changes whether c is in the set, if it is as given.
func (b *cpuSet) flip(c cpu.ID, is uint64) bool {
	w := &b[c>>6]
	for {
		old := w.Load()
		if old>>(c&63)&1 != is {
			return false
		}
		if w.CompareAndSwap(old, old^1<<(c&63)) {
			return true
		}
	}
}

func (b *cpuSet) has(c cpu.ID) bool { return b[c>>6].Load()>>(c&63)&1 != 0 }

// keep removes from m what is not in the set.
func (b *cpuSet) keep(m *cpu.Mask) {
	for i := range m {
		m[i] &= b[i].Load()
	}
}

// intersects reports whether some CPU of m is in the set.
func (b *cpuSet) intersects(m *cpu.Mask) bool {
	for i := range m {
		if m[i]&b[i].Load() != 0 {
			return true
		}
	}
	return false
}

// subtract removes the set from m, unless that would leave nothing.
func (b *cpuSet) subtract(m *cpu.Mask) {
	left := uint64(0)
	for i := range m {
		left |= m[i] &^ b[i].Load()
	}
	if left == 0 {
		return
	}
	for i := range m {
		m[i] &^= b[i].Load()
	}
}

// allowed makes m the CPUs on which id may run: its mask, as far as online, without
// the isolated CPUs that it did not ask for; if none of its mask is online, any.
func (s *Scheduler) allowed(id process.ContextID, m *cpu.Mask) {
	named := s.wish(id, m)
	if !s.suits(m, named) {
		s.noteAstray()
		if !s.online.intersects(m) {
			m.SetAll(cpu.Max)
			named = false
		}
	}
	s.restrict(m, named)
}

// suits reports whether some CPU of m is online that is not isolated, or is named.
func (s *Scheduler) suits(m *cpu.Mask, named bool) bool {
	for i := range m {
		set := m[i] & s.online[i].Load()
		if !named {
			set &^= s.isolated[i].Load()
		}
		if set != 0 {
			return true
		}
	}
	return false
}

// wish makes m the mask of id and reports whether it names isolated CPUs.
func (s *Scheduler) wish(id process.ContextID, m *cpu.Mask) (named bool) {
	x := s.Table.Context(id)
	chosen := x.Mask(m)
	return chosen && x.Class() != process.Service
}

// restrict reduces a mask to the CPUs that it allows.
func (s *Scheduler) restrict(m *cpu.Mask, named bool) {
	s.online.keep(m)
	if !named {
		s.isolated.subtract(m)
	}
}

// homeland makes m the CPUs on which id might run if all were online.
func (s *Scheduler) homeland(id process.ContextID, m *cpu.Mask) {
	named := s.wish(id, m)
	for i := range m {
		m[i] &= s.present[i]
	}
	if !named {
		s.isolated.subtract(m)
	}
}

// roams reports whether m holds every CPU that is not isolated.
func (s *Scheduler) roams(m *cpu.Mask) bool {
	for i := range m {
		if s.present[i]&^s.isolated[i].Load()&^m[i] != 0 {
			return false
		}
	}
	return true
}

// mayRun reports whether id may run on c.
func (s *Scheduler) mayRun(id process.ContextID, c cpu.ID) bool {
	var m cpu.Mask
	s.allowed(id, &m)
	return m.Has(c)
}
