package sim

import "hearth/cpu"

// reader is an engine that counts the lines of other LLC domains that the decisions of
// each CPU looked at.
type reader interface {
	Lines(c cpu.ID) (lines, refused uint64)
}

// reads sums them up over all CPUs, 0 if the engine does not count.
func (m *machine) reads() (sum int) {
	for c := range m.cpus {
		sum += m.readsOf(cpu.ID(c))
	}
	return sum
}

func (m *machine) readsOf(c cpu.ID) int {
	r, ok := m.s.(reader)
	if !ok {
		return 0
	}
	lines, _ := r.Lines(c)
	return int(lines)
}

// growth compares what the last spawn looked at with an early one: the first of which
// every CPU may be somebody's home, since one that finds a CPU without looks at less.
// Each counts the line of the CPU that it chose besides.
func growth(o *Outcome) float64 {
	early := o.top.Count + 1
	if len(o.Spawns) <= early {
		return 1
	}
	return float64(1+o.Spawns[len(o.Spawns)-1].Reads) / float64(1+o.Spawns[early].Reads)
}
