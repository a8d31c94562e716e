package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
	"time"
)

// ule is FreeBSD's: back to the last CPU while its cache is warm, else the least loaded
// CPU of the LLC domain, else of the machine.
type ule struct {
	sim.Base
	balance time.Duration // when it does so next
}

func init() {
	const source = "Roberson, ULE: a modern scheduler for FreeBSD, 2003; Bouron et al., USENIX ATC 2018"
	sim.Register("ule", "last CPU if idle and warm, else least loaded of the LLC domain, else of the machine; idle CPUs steal",
		source, func() sim.Policy { return &ule{} })
	sim.Register("ule-11", "ule whose re-queue chooses a CPU again without regard to the binding",
		"FreeBSD rS326376, 2017", func() sim.Policy { return &ule11{} })
}

// warm is how long a thread's data are taken to stay in a cache that it shares.
const warm = time.Millisecond

// Place searches from the spawner.
func (u *ule) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID { return u.pick(m, t, from, true) }

// Wake searches from where t ran.
func (u *ule) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	isWarm := m.Now()-t.Ran < warm
	if isWarm {
		if c := itself(m, t, t.Last); c != cpu.None {
			return c
		}
	}
	return u.pick(m, t, t.Last, isWarm)
}

// pick returns the least loaded CPU of from's LLC domain if it is warm there and one of
// them is idle, else of the machine.
func (u *ule) pick(m *sim.Model, t *sim.Thread, from cpu.ID, isWarm bool) cpu.ID {
	if isWarm {
		if c := m.Least(t, m.Topology().Near(from), from); c != cpu.None && m.Load(c) == 0 {
			return c
		}
	}
	return m.Least(t, nil, from)
}

// Idle steals from the fullest CPU, near ones first.
func (u *ule) Idle(m *sim.Model, c cpu.ID) *sim.Thread { return stealOutwards(m, c) }

// Tick balances the most and the least loaded CPU every 0.5 to 1.5 s.
func (u *ule) Tick(m *sim.Model, c cpu.ID) {
	if m.Now() < u.balance {
		return
	}
	if u.balance != 0 {
		if t := m.StealBusiest(nil, c, 1); t != nil && m.Load(c)+1 < m.Load(t.Last) {
			m.Move(t, c)
		}
	}
	u.balance = m.Now() + 500*time.Millisecond + time.Duration(m.Random(1000))*time.Millisecond
}

// ule11 is ule before a re-queue kept a binding.
type ule11 struct{ ule }

// Requeue takes the least loaded CPU, allowed or not.
func (u *ule11) Requeue(m *sim.Model, t *sim.Thread, c cpu.ID) cpu.ID {
	best := c
	for i := range m.In(nil, c) {
		if m.Online(i) && m.Load(i) < m.Load(best) {
			best = i
		}
	}
	return best
}
