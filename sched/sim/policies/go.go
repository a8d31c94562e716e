package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// goSched is the goroutine scheduler with CPUs as its Ps: what is made or readied runs
// next where that happens; idle Ps are woken one at a time and search everybody.
type goSched struct {
	sim.Base
	early  bool     // go 1.14: no second look, no timers of busy Ps
	search cpu.Mask // who searches for work ("spinning")
}

func init() {
	const source = "golang.org/s/go11sched (Vyukov, 2012); runtime/HACKING.md"
	sim.Register("go", "runs next what it makes or readies; one idle CPU at a time searches all others in four rounds",
		source, func() sim.Policy { return &goSched{} })
	sim.Register("go-1.14", "go whose last searcher stops without another look, and whose busy CPUs' timers wait",
		"gh:golang/go#45867, gh:golang/go#38860", func() sim.Policy { return &goSched{early: true} })
}

// runsNext marks the thread in the slot before its CPU's queue.
type runsNext struct{}

// Place puts t into the slot of the spawner's CPU.
func (g *goSched) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID { return g.ready(m, t, from) }

// Wake puts t into the slot of the waker's CPU.
func (g *goSched) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID { return g.ready(m, t, from) }

func (g *goSched) ready(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	c := m.AllowedNear(t, from)
	unslot(m, c)
	t.Data = runsNext{}
	g.wakeOne(m, t, c)
	return c
}

// unslot sends the thread in c's slot behind the others.
func unslot(m *sim.Model, c cpu.ID) {
	for _, t := range m.Waiting(c) {
		if t.Data != nil {
			t.Data = nil
			m.Move(t, c)
			return
		}
	}
}

// wakeOne has an idle CPU search on which t may run, unless one searches already.
func (g *goSched) wakeOne(m *sim.Model, t *sim.Thread, from cpu.ID) {
	if !g.search.IsEmpty() {
		return
	}
	idle := func(c cpu.ID) bool { return c != from && m.Idle(c) }
	if c := m.Find(t, nil, from+1, idle); c != cpu.None {
		g.search.Set(c)
		m.Kick(c)
	}
}

// Before: the slot comes first.
func (g *goSched) Before(a, b *sim.Thread) bool { return a.Data != nil && b.Data == nil }

// Requeue ends a turn: the thread is not in the slot any more.
func (g *goSched) Requeue(m *sim.Model, t *sim.Thread, c cpu.ID) cpu.ID {
	t.Data = nil
	return c
}

// Idle searches all CPUs in four rounds, from a random one on. Whoever finds something
// wakes the next searcher.
func (g *goSched) Idle(m *sim.Model, c cpu.ID) *sim.Thread {
	g.search.Set(c)
	for range 4 {
		for i := range m.In(nil, cpu.ID(m.Random(m.Topology().Count))) {
			if t := m.Steal(i, c); i != c && t != nil {
				t.Data = nil
				g.search.Clear(c)
				g.wakeOne(m, t, c)
				return t
			}
		}
	}
	return nil
}

// Halt gives the search up and, after that, looks at every queue once more.
func (g *goSched) Halt(m *sim.Model, c cpu.ID) bool {
	g.search.Clear(c)
	if g.early {
		return len(m.Waiting(c)) == 0
	}
	for i := range m.In(nil, c) {
		if m.Steal(i, c) != nil {
			return false
		}
	}
	return true
}

// HoldsTimers: once, timers of a CPU waited for it to look.
func (g *goSched) HoldsTimers(m *sim.Model, c cpu.ID) bool { return g.early && m.Running(c) != nil }
