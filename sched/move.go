package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// SetMask makes m the affinity mask of id, whatever it does: if it may not stay
// where it is ready or runs, it moves. If it is c's current context and moves, no
// context runs on c until the next Pass. False, and nothing changed: no CPU of m is
// online.
func (s *Scheduler) SetMask(c cpu.ID, now time.Duration, id process.ContextID, m *cpu.Mask, a *Actions) bool {
	if !s.Usable(m) {
		return false
	}
	x := s.Table.Context(id)
	x.SetMask(m)
	if s.locals[c].current == id {
		if !s.mayRun(id, c) {
			s.evict(c, now, a)
		}
		return true
	}
	// The state is read after the mask is written. Blocked, the home will read the mask
	// after the wake. In transit, it will after it changes the state to Ready (takeInbox),
	// but has to be told when: for a sleeper that the mask of the post did not allow
	// nobody has looked (heed), so the post may not have kicked.
	switch state := x.State(); state {
	case process.Ready, process.Running, process.InTransit:
		home := x.Home()
		if home == cpu.None {
			return true // it exited meanwhile
		}
		if state != process.InTransit {
			s.ask(home, id)
		}
		s.ring(c, now, home, always, KickMask, a)
	}
	return true
}

// evict moves c's current context, which may not run here any more.
func (s *Scheduler) evict(c cpu.ID, now time.Duration, a *Actions) {
	l := &s.locals[c]
	id := l.running()
	to := s.settleOn(c, now, id)
	if to == cpu.None {
		return // none of its CPUs is online any more
	}
	s.endTurn(c, now, id)
	l.current = 0
	s.change(id, process.Running, process.InTransit)
	s.move(c, now, id, to, s.whyLeave(c), a)
}

// whyLeave tells why a context may not stay on c.
func (s *Scheduler) whyLeave(c cpu.ID) Reason {
	if s.online.has(c) {
		return MoveMask
	}
	return MoveOffline
}

// relocate moves id, queued on c, to a CPU where it may run; false if none of those
// is online.
func (s *Scheduler) relocate(c cpu.ID, now time.Duration, id process.ContextID, a *Actions) bool {
	s.spend(c, 1+min(int32(s.Topology.Count), 2*scanLimit)/cpusAUnit)
	to := s.settleOn(c, now, id)
	if to == cpu.None {
		return false
	}
	s.migrate(c, now, id, to, s.whyLeave(c), a)
	return true
}

// settleOn claims the CPU with the smallest key for id, which must leave c: the key
// of a spawn without near.
func (s *Scheduler) settleOn(c cpu.ID, now time.Duration, id process.ContextID) cpu.ID {
	var q query
	var r answer
	s.queryFor(c, now, id, &q)
	for attempt := 1; ; attempt++ {
		if !s.search(&q, &r) {
			return cpu.None
		}
		if !s.claimAs(r.cpu, r.word, q.band) {
			if attempt < maxAttempts {
				continue
			}
			s.handles[r.cpu].addLoad(q.band)
		}
		s.locals[c].start = int32(s.following(r.cpu))
		return r.cpu
	}
}

// migrate sends id from c's run queue to a CPU that the caller has claimed for it.
func (s *Scheduler) migrate(c cpu.ID, now time.Duration, id process.ContextID, to cpu.ID, reason Reason, a *Actions) {
	s.dequeue(c, id)
	s.handles[c].dropLoad(s.nodes[id].band)
	s.change(id, process.Ready, process.InTransit)
	s.move(c, now, id, to, reason, a)
}

// move gives id, InTransit, its new home and sends it there.
func (s *Scheduler) move(c cpu.ID, now time.Duration, id process.ContextID, to cpu.ID, reason Reason, a *Actions) {
	s.carry(c, id)
	s.setHome(id, to)
	s.count(c, Migrations)
	a.note(EventMigrate, reason, id, c, to)
	s.send(c, now, id, a)
}

// busyAround counts the online siblings of c that are not free. One that is not idle
// by its group's summary is not, so its handle need not be read.
func (s *Scheduler) busyAround(c cpu.ID) (busy uint32) {
	if !s.groups.wide {
		x, sum := &s.groups.all[s.groups.of[c]], &s.summaries[s.groups.of[c]]
		other := s.groups.sibling[x.base+s.groups.bit[c]]
		if other < 0 || sum.online.Load()>>other&1 == 0 {
			return 0
		}
		return bit(sum.idle.Load()>>other&1 == 0 || !s.isFree(s.groups.ids[x.base+other]))
	}
	siblings := s.Topology.Siblings(c)
	for i := siblings.First(); i != cpu.None; i = siblings.Next(i) {
		if i != c && s.online.has(i) {
			busy += bit(!s.isFree(i))
		}
	}
	return busy
}
