package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// answerPull serves the CPU that asked for work. If nothing that waits here may run
// there, another CPU with surplus is asked in its name.
func (s *Scheduler) answerPull(c cpu.ID, now time.Duration, a *Actions) bool {
	h, l := &s.handles[c], &s.locals[c]
	word := h.pull.Load() // pairs with the compare-and-swap in request
	if word == 0 {
		return false
	}
	h.pull.Store(0)
	l.sought = false // others may have asked at the same moment, in vain
	to, first := asker(word)
	for id := l.first(); id != 0 && s.try(c); {
		if s.handOver(c, now, id, to, a) {
			return true
		}
		id = s.after(l, id)
	}
	s.passOn(c, now, to, first, a)
	return false
}

// handOver sends id, queued on c, to the CPU that asked.
func (s *Scheduler) handOver(c cpu.ID, now time.Duration, id process.ContextID, to cpu.ID, a *Actions) bool {
	n := &s.nodes[id]
	if n.flags&flagMovable == 0 || id == s.locals[c].partner || !s.mayRun(id, to) {
		return false
	}
	var r Raw
	s.read(to, now, false, &r)
	if !r.Free() || !s.tryClaim(&r, n.band) {
		return false
	}
	s.migrate(c, now, id, to, MovePull, a)
	return true
}

// A request for work is one word: the CPU that asks + 1, and in the high half the
// CPU that was asked first.
func pullWord(c, first cpu.ID) uint32 { return uint32(c) + 1 | uint32(first)<<16 }

func asker(word uint32) (c, first cpu.ID) {
	return cpu.ID(word&0xffff) - 1, cpu.ID(word >> 16)
}

// request asks victim for work in the name of to; false if another request is
// there already.
func (s *Scheduler) request(c cpu.ID, now time.Duration, victim, to, first cpu.ID, a *Actions) bool {
	if !s.handles[victim].pull.CompareAndSwap(0, pullWord(to, first)) { // pairs with answerPull
		return false
	}
	s.ring(c, now, victim, always, KickPull, a)
	return true
}

// seek asks the CPU with the largest surplus for a context: of c's LLC domain or,
// if none has any there, of the machine. If another CPU asks it at the same moment,
// its pass is on its way and finds us asleep.
func (s *Scheduler) seek(c cpu.ID, now time.Duration, a *Actions) {
	near := s.Topology.Near(c)
	victim := s.fullest(c, near)
	if victim == cpu.None {
		var online cpu.Mask
		s.OnlineMask(&online)
		online.AndNot(near)
		victim = s.fullest(c, &online)
	}
	if victim != cpu.None {
		s.request(c, now, victim, c, victim, a)
	}
}

// fullest returns the CPU of m with the largest surplus that nobody asks yet.
func (s *Scheduler) fullest(c cpu.ID, m *cpu.Mask) cpu.ID {
	victim, most := cpu.None, uint32(0)
	for i := m.First(); i != cpu.None; i = m.Next(i) {
		h := &s.handles[i]
		// Pairs with publishSurplus in balance, and comes after Halted was published.
		if surplus := h.surplus.Load(); i != c && surplus > most && h.pull.Load() == 0 {
			victim, most = i, surplus
		}
	}
	return victim
}

// passOn asks the next CPU round the machine that has surplus, for to, which still
// sleeps. The round ends before the CPU that was asked first.
func (s *Scheduler) passOn(c cpu.ID, now time.Duration, to, first cpu.ID, a *Actions) {
	if Idle(s.handles[to].idle.Load()) != Halted {
		return
	}
	for i := s.following(c); i != first; i = s.following(i) {
		if i != to && s.handles[i].surplus.Load() != 0 && s.request(c, now, i, to, first, a) {
			return
		}
	}
}
