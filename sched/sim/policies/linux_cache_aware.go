package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// cacheAware is linux with the first form of cache-aware scheduling: each wake pulls a
// thread to the LLC domain in which most of its process lives, while balancing goes on
// spreading them.
type cacheAware struct{ linux }

func init() {
	sim.Register("linux-cache-aware", "linux that wakes a thread in the LLC domain that its process lives in",
		"LKML, cache aware scheduling, 2025", func() sim.Policy { return &cacheAware{} })
}

// Wake begins the search in the preferred domain.
func (l *cacheAware) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	target := m.AllowedNear(t, t.Last)
	if llc := preferred(m, t); m.Topology().At[target].LLC != llc {
		if c := m.Least(t, m.Topology().LLCMask(llc), t.Last); c != cpu.None {
			target = c
		}
	}
	c := l.idleSibling(m, t, target)
	l.renorm(m, t, c)
	return c
}

// preferred returns the LLC domain with the most homes of t's process.
func preferred(m *sim.Model, t *sim.Thread) (best int32) {
	most := -1
	for llc := range m.Topology().LLCs {
		n := 0
		for c := range m.In(m.Topology().LLCMask(int32(llc)), 0) {
			n += m.Homes(t, c)
		}
		if n > most {
			best, most = int32(llc), n
		}
	}
	return best
}
