package policies

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched/sim"
	"slices"
)

// keyed places by the smallest key, as Hearth does, with or without some terms.
type keyed struct {
	sim.Base
	capacity, siblings, far bool
	homes                   homeTerm
}

// homeTerm says how homes of the process count.
type homeTerm int

const (
	noHomes homeTerm = iota
	byCPU            // those on the CPU itself, as the rule first was
	byCore           // those on its core
)

// allTerms is Hearth's key.
var allTerms = keyed{capacity: true, siblings: true, far: true, homes: byCore}

func init() {
	const doc = "docs/placement.md"
	register := func(name, rule string, k keyed) {
		sim.Register(name, rule, doc, func() sim.Policy { return &k })
	}
	register("key", "Hearth's key on the model: what is left is the mechanism's part", allTerms)

	cpus := allTerms
	cpus.homes = byCPU
	register("homes-by-cpu", "the key with homes counted by CPU instead of by core", cpus)

	near := allTerms
	near.homes = noHomes
	register("llc-only", "the key without homes", near)

	register("least-loaded", "the key without capacity, siblings, homes and LLC domain: load, then rotation", keyed{})
}

// Place takes the smallest key and goes on behind it the next time.
func (k *keyed) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	c := k.best(m, t, nil, from, m.Rotation(), t.Near)
	m.Rotate(c)
	return c
}

// Wake stays, unless that CPU is not idle and another one is.
func (k *keyed) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	if c := itself(m, t, t.Last); c != cpu.None {
		return c
	}
	if c := k.best(m, t, m.Idle, t.Last, t.Last, true); c != cpu.None {
		return c
	}
	return m.AllowedNear(t, t.Last)
}

// Idle takes what waits behind a running thread, of the fullest CPU, near ones first.
func (k *keyed) Idle(m *sim.Model, c cpu.ID) *sim.Thread {
	if t := stealBehind(m, m.Topology().Near(c), c); t != nil {
		return t
	}
	return stealBehind(m, nil, c)
}

// Push sends what waits on c to idle CPUs, the best one first.
func (k *keyed) Push(m *sim.Model, c cpu.ID) {
	for _, t := range slices.Clone(m.Waiting(c)) {
		if to := k.best(m, t, m.Idle, c, c, true); to != cpu.None {
			m.Move(t, to)
		}
	}
}

// stealBehind leaves alone what a CPU that is waking up will run at once.
func stealBehind(m *sim.Model, set *cpu.Mask, c cpu.ID) (found *sim.Thread) {
	most := 0
	for i := range m.In(set, c) {
		n := len(m.Waiting(i))
		if n <= most || m.Running(i) == nil {
			continue
		}
		if t := m.Steal(i, c); t != nil {
			found, most = t, n
		}
	}
	return found
}

// best returns the CPU with the smallest key of those that suit, nil for all, on which
// t may run.
func (k *keyed) best(m *sim.Model, t *sim.Thread, suits func(cpu.ID) bool, from, start cpu.ID, near bool) cpu.ID {
	best, least := cpu.None, []int(nil)
	for c := range m.In(m.AllowedMask(t), start) {
		if suits != nil && !suits(c) {
			continue
		}
		if key := k.key(m, t, c, from, near); best == cpu.None || slices.Compare(key, least) < 0 {
			best, least = c, key
		}
	}
	return best
}

// key ranks c; the distance from the start is the order of the visit.
func (k *keyed) key(m *sim.Model, t *sim.Thread, c, from cpu.ID, near bool) []int {
	key := []int{len(m.Waiting(c)), awake(m, t, c), 0, 0, 0, 0, int(m.Latency(c))}
	if k.siblings {
		key[2] = busySiblings(m, c)
	}
	if k.capacity {
		key[3] = m.Slowness(c)
	}
	if near && t.Near {
		key[4] = k.homeOf(m, t, c)
	}
	if near && k.far {
		key[5] = truth(!m.Near(c, from))
	}
	return key
}

func (k *keyed) homeOf(m *sim.Model, t *sim.Thread, c cpu.ID) int {
	switch {
	case k.homes == noHomes:
		return 0
	case k.homes == byCPU:
		return truth(m.Homes(t, c) > 0)
	}
	return truth(m.CoreHomes(t, c) > 0) + truth(m.Homes(t, c) > 0)
}

// awake is 0 for an idle CPU, 1 for one whose work would give way to t, else 2.
func awake(m *sim.Model, t *sim.Thread, c cpu.ID) int {
	if m.Idle(c) {
		return 0
	}
	r := m.Running(c)
	if r != nil && len(m.Waiting(c)) == 0 && r.Class == process.Background && t.Class != process.Background {
		return 1
	}
	return 2
}

func busySiblings(m *sim.Model, c cpu.ID) (busy int) {
	for i := range m.In(m.Topology().Siblings(c), c) {
		busy += truth(i != c && m.Online(i) && !m.Idle(i))
	}
	return busy
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
