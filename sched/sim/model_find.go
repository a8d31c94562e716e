package sim

import (
	"hearth/cpu"
	"iter"
)

// Searches that most policies make. Each CPU that one looks at counts.

// In visits the CPUs of a set, nil for all, from one of them on, running round.
func (m *Model) In(set *cpu.Mask, from cpu.ID) iter.Seq[cpu.ID] {
	return func(yield func(cpu.ID) bool) {
		for i := range m.top.Count {
			c := (from + cpu.ID(i)) % cpu.ID(m.top.Count)
			if (set == nil || set.Has(c)) && !yield(c) {
				return
			}
		}
	}
}

// Find returns the first CPU of a set, nil for all, running round from one of them,
// on which t may run and that suits; cpu.None for none.
func (m *Model) Find(t *Thread, set *cpu.Mask, from cpu.ID, suits func(cpu.ID) bool) cpu.ID {
	allowed := m.AllowedMask(t)
	for c := range m.In(set, from) {
		if allowed.Has(c) && suits(c) {
			return c
		}
	}
	return cpu.None
}

// Least returns the CPU of a set, nil for all, with the smallest load of those on
// which t may run, the first of equals from one of them on; cpu.None for none.
func (m *Model) Least(t *Thread, set *cpu.Mask, from cpu.ID) cpu.ID {
	best, least := cpu.None, 0
	for c := range m.In(set, from) {
		if !m.Allowed(t, c) {
			continue
		}
		if load := m.Load(c); best == cpu.None || load < least {
			best, least = c, load
		}
	}
	return best
}

// Steal returns the first thread that waits on CPU from and that c may take, nil for
// none.
func (m *Model) Steal(from, c cpu.ID) *Thread {
	for _, t := range m.Waiting(from) {
		if m.mayTake(t, c) {
			return t
		}
	}
	return nil
}

// StealBusiest returns a thread for c from the CPU of a set, nil for all, on which most
// wait that c may take, if at least so many wait there; nil for none.
func (m *Model) StealBusiest(set *cpu.Mask, c cpu.ID, least int) (found *Thread) {
	most := least - 1
	for i := range m.In(set, c) {
		if n := len(m.Waiting(i)); i != c && n > most {
			if t := m.Steal(i, c); t != nil {
				found, most = t, n
			}
		}
	}
	return found
}

// mayTake: c is allowed, and the thread's registers are saved, or nobody minds.
func (m *Model) mayTake(t *Thread, c cpu.ID) bool {
	return m.Allowed(t, c) && (!t.unsaved || t.Last == c || m.hooks.unsaved != nil)
}

// AllowedNear returns c if t may run there, else the first CPU after it, running round
// the machine, on which t may.
func (m *Model) AllowedNear(t *Thread, c cpu.ID) cpu.ID {
	return m.Find(t, nil, c, func(cpu.ID) bool { return true })
}

// StealShared returns the first thread in the shared queue of CPU from that c may
// take, nil for none.
func (m *Model) StealShared(from, c cpu.ID) *Thread {
	for _, t := range m.Shared(from) {
		if m.mayTake(t, c) {
			return t
		}
	}
	return nil
}
