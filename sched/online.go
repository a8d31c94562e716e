package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// Which CPUs are online may change at any time. A CPU that is taken offline stays
// what it was for whoever posted to it before or still calls it home: it answers
// kicks and fires its alarms, but runs nothing. So nobody who posts has to look twice:
// what arrives there is sent on to where it may run. The other way, a poster that
// looks at the set again after it posted, would have to take back what it posted from
// an inbox that only its owner may touch.
//
// A context none of whose CPUs is online runs on any that is, until one of its own
// comes back. Its mask stays as it was asked for.

// Online makes c a candidate: it runs passes from now on. Call it once for each CPU,
// before that makes its first pass.
func (s *Scheduler) Online(c cpu.ID, now time.Duration) {
	h := &s.handles[c]
	h.heard.Store(int64(now))
	h.idle.Store(uint32(Busy))
	if s.online.add(c) {
		s.onlines.Add(1)
		s.settleOnline(c)
	}
}

// SetOffline takes the CPU which off the machine: from now on nothing is placed
// there, and what is there leaves, a bounded piece a pass. What is blocked there gets
// another home when it is woken. False, and nothing changed: it is not online, or is
// the last one.
func (s *Scheduler) SetOffline(c cpu.ID, now time.Duration, which cpu.ID, a *Actions) bool {
	if !s.takeOff(which) {
		return false
	}
	// After the set has changed: its next pass answers the kick, then reads the set.
	s.ring(c, now, which, always, KickOnline, a)
	return true
}

// takeOff removes c from the online CPUs unless it is the last one. The count goes
// first, so that of the last two that go at once one stays.
func (s *Scheduler) takeOff(c cpu.ID) bool {
	for {
		n := s.onlines.Load()
		if n <= 1 {
			return false
		}
		if s.onlines.CompareAndSwap(n, n-1) {
			break
		}
	}
	if s.online.remove(c) {
		s.settleOnline(c)
		return true
	}
	s.onlines.Add(1)
	return false
}

// SetOnline brings back the CPU which, that SetOffline took. It asks for work at
// once, and what ran elsewhere for want of it returns. False, and nothing changed: it
// is online.
func (s *Scheduler) SetOnline(c cpu.ID, now time.Duration, which cpu.ID, a *Actions) bool {
	if !s.online.add(which) {
		return false
	}
	s.onlines.Add(1)
	s.settleOnline(which)
	if s.astray.Swap(0) != 0 { // after the set: pairs with noteAstray
		s.handles[which].recall.Store(1)
	}
	s.ring(c, now, which, always, KickOnline, a)
	return true
}

// noteAstray notes that a context goes where it should not, for want of an online CPU.
// The caller reads the set of online CPUs again: pairs with SetOnline. Either that sees
// the note, or the caller the CPU that came back.
func (s *Scheduler) noteAstray() {
	if s.astray.Load() == 0 {
		s.astray.Store(1)
	}
}

// recallPiece is how many contexts a pass of recall looks at.
const recallPiece = 64

// recall calls back what runs elsewhere although c, which came back, is of its mask:
// a walk over all contexts, a piece a pass. What is blocked or in transit finds c
// itself, since its home reads its mask and the set after it has made it Ready.
func (s *Scheduler) recall(c cpu.ID, now time.Duration, a *Actions) {
	h, l := &s.handles[c], &s.locals[c]
	if h.recall.Load() != 0 {
		h.recall.Store(0)
		l.calling = 1
	}
	if l.calling == 0 {
		return
	}
	for range recallPiece {
		if l.budget <= 0 {
			return
		}
		s.step(c)
		s.callBack(c, now, l.calling, a)
		if l.calling++; l.calling > process.MaxContexts {
			l.calling = 0
			return
		}
	}
}

// callBack has the home of id look at its mask again if that excludes the home: id leaves
// it for c. If c has gone once more, id stays; but a CPU that asked for it in between was
// refused it and sleeps, so the home has to look for a sleeper again.
func (s *Scheduler) callBack(c cpu.ID, now time.Duration, id process.ContextID, a *Actions) {
	x := s.Table.Context(id)
	if state := x.State(); state != process.Ready && state != process.Running {
		return
	}
	home := x.Home()
	s.spend(c, 1)
	var m cpu.Mask
	s.homeland(id, &m)
	if home == cpu.None || m.Has(home) {
		return
	}
	s.ask(home, id)
	s.ring(c, now, home, always, KickMask, a)
}

// IsOnline reports whether c is online.
func (s *Scheduler) IsOnline(c cpu.ID) bool { return s.online.has(c) }

// Usable reports whether some CPU of m is online.
func (s *Scheduler) Usable(m *cpu.Mask) bool { return s.online.intersects(m) }

// OnlineMask copies the set of online CPUs to m.
func (s *Scheduler) OnlineMask(m *cpu.Mask) {
	m.SetAll(cpu.Max)
	s.online.keep(m)
}
