package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// tokio is goSched with a slot that nobody may steal from.
type tokio struct{ goSched }

func init() {
	sim.Register("tokio", "go with a slot that others may not take from",
		"gh:tokio-rs/tokio#4941", func() sim.Policy { return &tokio{} })
}

// Idle takes the first thread elsewhere that is not in a slot.
func (k *tokio) Idle(m *sim.Model, c cpu.ID) *sim.Thread {
	for i := range m.In(nil, cpu.ID(m.Random(m.Topology().Count))) {
		if i == c {
			continue
		}
		if t := m.Steal(i, c); t != nil && t.Data == nil {
			return t
		}
	}
	return nil
}

// Halt looks at its own queue only: slots do not count.
func (k *tokio) Halt(m *sim.Model, c cpu.ID) bool {
	k.search.Clear(c)
	return len(m.Waiting(c)) == 0
}
