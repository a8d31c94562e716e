package sim

import "hearth/cpu"

// reader is an engine that counts the lines of other LLC domains that the decisions of
// each CPU looked at.
type reader interface {
	Lines(c cpu.ID) (lines, refused uint64)
}

// reads sums them up over all CPUs, 0 if the engine does not count.
func (m *machine) reads() (sum int) {
	r, ok := m.s.(reader)
	if !ok {
		return 0
	}
	for c := range m.cpus {
		lines, _ := r.Lines(cpu.ID(c))
		sum += int(lines)
	}
	return sum
}
