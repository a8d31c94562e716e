package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
	"time"
)

// osv keeps threads where they are made and woken; ten times a second a CPU gives one
// away.
type osv struct {
	sim.Base
	next map[cpu.ID]time.Duration // when each CPU balances
}

func init() {
	sim.Register("osv", "new threads stay with their creator, woken ones where they ran; a CPU gives one away each 100 ms",
		"gh:cloudius-systems/osv#1464", func() sim.Policy { return &osv{next: map[cpu.ID]time.Duration{}} })
}

// Tick gives a waiting thread to the least loaded CPU if that evens out.
func (o *osv) Tick(m *sim.Model, c cpu.ID) {
	const period = 100 * time.Millisecond
	if o.next[c] == 0 {
		o.next[c] = m.Now() + period
	}
	if m.Now() < o.next[c] || len(m.Waiting(c)) == 0 {
		return
	}
	o.next[c] = m.Now() + period
	t := m.Waiting(c)[0]
	if to := m.Least(t, nil, c); to != cpu.None && m.Load(to)+1 < m.Load(c) {
		m.Move(t, to)
	}
}
