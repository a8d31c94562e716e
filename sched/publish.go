package sched

import (
	"hearth/cpu"
)

// publish tells others what c wants to be kicked for and how much it could give
// away. Pass and EnterIdle look at the inbox afterwards: pairs with ring.
func (s *Scheduler) publish(c cpu.ID) {
	h, l := &s.handles[c], &s.locals[c]
	s.publishSurplus(c)
	heed := uint32(s.heed(l))
	if heed == uint32(urgentFair) {
		s.publishTurn(c)
	}
	if heed != h.heed.Load() {
		h.heed.Store(heed)
	}
	if running := s.running(l); running != h.running.Load() {
		h.running.Store(running)
	}
}

// running returns the band of what c runs, + 1, 0 if it runs nothing.
func (s *Scheduler) running(l *local) uint32 {
	if l.current == 0 {
		return 0
	}
	return uint32(s.nodes[l.current].band) + 1
}

// publishTurn lets wakers tell who is due before the current context, which is fair:
// pairs with overtakes.
func (s *Scheduler) publishTurn(c cpu.ID) {
	p, t := &s.handles[c].turn, s.turnOf(&s.locals[c])
	if t.time == p.time.Load() && t.until == p.until.Load() && t.weight == p.weight.Load() {
		return
	}
	p.time.Store(t.time)
	p.until.Store(t.until)
	p.weight.Store(t.weight)
}

func (s *Scheduler) publishSurplus(c cpu.ID) {
	h, l := &s.handles[c], &s.locals[c]
	if surplus := uint32(s.movableNow(l)); surplus != h.surplus.Load() {
		h.surplus.Store(surplus)
		s.groupSurplus(c, surplus != 0)
	}
}

// groupSurplus tells c's group whether it has surplus, and the machine that the group
// has; see dropSurplus.
func (s *Scheduler) groupSurplus(c cpu.ID, some bool) {
	g := s.groups.of[c]
	w, b := &s.summaries[g].surplus, uint64(1)<<s.groups.bit[c]
	if !some {
		w.And(^b)
		return
	}
	if w.Load()&b == 0 {
		w.Or(b)
		agree(&s.hints[g>>6][hintSurplus], g, true)
	}
}

// heed returns what a post must be more urgent than to kick this busy CPU.
func (s *Scheduler) heed(l *local) int32 {
	if l.current == 0 {
		return heedNone // EnterIdle looks at the inbox
	}
	if s.roamingNow(l) == 0 {
		return heedAll // what comes next might have to share the CPU, or to leave
	}
	// It found no sleeper for one that may run anywhere and waits here already, so one
	// more can wait for the slice to end, unless it is more urgent or there is no slice
	// yet.
	heed := urgencyOf(s.nodes[l.current].band, false)
	if heed == urgentRealTime || s.slicing(l) {
		return heed
	}
	return heed + 1
}

// Settled reports whether a Pass on c would change nothing and go on with the
// current context: nothing is posted, nobody waits behind it and no kick is to be
// answered. A kernel entry that finds it so may do without the Pass. What is
// posted after this look brings a kick, as after a Pass, or is not urgent.
func (s *Scheduler) Settled(c cpu.ID) bool {
	h, l := &s.handles[c], &s.locals[c]
	return l.current != 0 && s.online.has(c) && l.first() == 0 && !l.unfinished() && !h.mail() && Idle(h.idle.Load()) == Busy && h.pull.Load() == 0
}
