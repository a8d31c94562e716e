package sim

import (
	"hearth/cpu"
	"time"
)

// waitBound is how long a thread may wait while an allowed CPU sleeps, not counting
// the time in which somebody is about to change that.
const waitBound = 5 * time.Microsecond

// checkConserved: work-conserved. No ready thread waits for more than waitBound
// while a CPU on which it may run sleeps, nobody is on the way to either of the two,
// and the CPU where it waits runs on and is not about to make a pass. (A pass gives
// one thread away, and the next one follows soon.)
func (m *machine) checkConserved() {
	for _, t := range m.checks.waiting {
		if !m.waitsIdly(t) {
			t.idlySince = -1
			continue
		}
		if t.idlySince < 0 {
			t.idlySince = m.now
		}
		m.checkWaited(t, m.now)
	}
}

// checkStretch checks the same for the time until next, in which nothing happens.
func (m *machine) checkStretch(next time.Duration) {
	for _, t := range m.checks.waiting {
		if t.idlySince >= 0 {
			m.checkWaited(t, next)
		}
	}
}

func (m *machine) checkWaited(t *thread, until time.Duration) {
	t.tally.Idly = max(t.tally.Idly, until-t.idlySince)
	if until-t.idlySince > waitBound {
		home := m.s.Table().Context(t.context).Home()
		m.fail("work-conserved", "%s waits from %v to %v on CPU %d, which runs %s, while CPU %d sleeps",
			t, t.idlySince, until, home, m.who(m.s.Current(home)), m.sleeperFor(t))
	}
}

func (m *machine) waitsIdly(t *thread) bool {
	p := m.at(t.context)
	v := &m.cpus[p.cpu]
	if v.mode != modeUser || m.kickOnItsWay(p.cpu) || v.alarm >= 0 && v.alarm <= m.now+waitBound {
		return false
	}
	if m.everOffline && m.astray(t) && m.recalling() {
		return false
	}
	m.checks.conserved.reach++
	return m.sleeperFor(t) != cpu.None
}

// astray reports whether no CPU of t's mask is online, so that it may run anywhere. When
// one comes back, that calls on the CPU where t waits (recalling), even if it has gone
// again: until then sleepers that came in between do not know that they may have t.
func (m *machine) astray(t *thread) bool {
	var mask cpu.Mask
	m.s.Table().Context(t.context).Mask(&mask)
	return !mask.Intersects(&m.online)
}

// sleeperFor returns a CPU that sleeps, asks nobody for work and may run t, cpu.None
// if there is none.
func (m *machine) sleeperFor(t *thread) cpu.ID {
	mask, _ := m.allowed(t.context)
	mask.And(&m.asleep)
	for c := mask.First(); c != cpu.None; c = mask.Next(c) {
		if sleeps(m.s.Look(c).Idle) && !m.asks(c) {
			return c
		}
	}
	return cpu.None
}

// asks reports whether c's request for work has not been seen yet.
func (m *machine) asks(c cpu.ID) bool {
	for i := range m.cpus {
		if m.s.Look(cpu.ID(i)).Pull == c {
			return true
		}
	}
	return false
}

// checkSpent: time-conserved. A thread that ended computed for as long as its
// program says, and the CPUs for as long as the threads.
func (m *machine) checkSpent(t *thread) {
	m.checks.time.reach++
	if t.spent != t.asked {
		m.fail("time-conserved", "%s computed for %v, its program says %v", t, t.spent, t.asked)
	}
}
