package sched

import (
	"hearth/cpu"
	"hearth/process"
	"sync/atomic"
)

// cpuSet is a set of CPUs that only grows and that any CPU may read.
type cpuSet [len(cpu.Mask{})]atomic.Uint64

func (b *cpuSet) add(c cpu.ID) {
	w := &b[c>>6]
	for {
		old := w.Load()
		if w.CompareAndSwap(old, old|1<<(c&63)) {
			return
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
// the isolated CPUs that it did not ask for.
func (s *Scheduler) allowed(id process.ContextID, m *cpu.Mask) {
	x := s.Table.Context(id)
	chosen := x.Mask(m)
	s.restrict(m, chosen && x.Class() != process.Service)
}

// restrict reduces a mask to the CPUs that it allows.
func (s *Scheduler) restrict(m *cpu.Mask, named bool) {
	s.online.keep(m)
	if !named {
		s.isolated.subtract(m)
	}
}

// roams reports whether m holds every online CPU that is not isolated.
func (s *Scheduler) roams(m *cpu.Mask) bool {
	for i := range m {
		if s.online[i].Load()&^s.isolated[i].Load()&^m[i] != 0 {
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
