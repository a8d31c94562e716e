package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// Idle balances a CPU that is about to idle: from the fullest of its LLC domain, then
// of the machine, from there only what is not hot in a cache.
func (l *linux) Idle(m *sim.Model, c cpu.ID) *sim.Thread {
	if m.Isolated(c) {
		return nil // in no scheduling domain
	}
	if t := m.StealBusiest(m.Topology().Near(c), c, 1); t != nil {
		return t
	}
	if t := m.StealBusiest(nil, c, 1); t != nil && m.Now()-t.Ran > cacheHot {
		return t
	}
	return nil
}

// Tick has an idle CPU balance if something waits here.
func (l *linux) Tick(m *sim.Model, c cpu.ID) {
	if len(m.Waiting(c)) == 0 {
		return
	}
	for _, set := range []*cpu.Mask{m.Topology().Near(c), nil} {
		for i := range m.In(set, c) {
			if m.Idle(i) && !m.Isolated(i) {
				m.Kick(i)
				return
			}
		}
	}
}
