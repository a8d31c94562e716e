package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// Place descends from the machine to the idlest LLC domain, core and CPU.
func (l *linux) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	if m.AllowedMask(t).Count() == 1 {
		return m.AllowedNear(t, from)
	}
	c := l.idlestIn(m, t, m.Topology().LLCMask(l.idlestLLC(m, t, from)), from)
	l.renorm(m, t, c)
	return c
}

// idlestLLC returns the LLC domain with the most idle CPUs, from's own unless another
// has more; if none has any, the one with the smallest load for each CPU.
func (l *linux) idlestLLC(m *sim.Model, t *sim.Thread, from cpu.ID) int32 {
	top := m.Topology()
	best, most, least := int32(-1), -1, 0.0
	for i := range top.LLCs {
		llc := (int(top.At[from].LLC) + i) % top.LLCs
		idle, load, cpus := 0, 0, 0
		for c := range m.In(top.LLCMask(int32(llc)), 0) {
			if m.Allowed(t, c) {
				cpus++
				load += m.Load(c)
				idle += truth(m.Idle(c))
			}
		}
		if cpus == 0 {
			continue
		}
		each := float64(load) / float64(cpus)
		if idle > most || idle == 0 && most == 0 && each < least {
			best, most, least = int32(llc), idle, each
		}
	}
	return best
}

// idlestIn returns the CPU of a domain that is idle in the shallowest state, of equals
// the one that became idle last; one with SCHED_IDLE threads only is taken at sight. If
// none is idle, the least loaded. With SMT the core with the most idle CPUs comes first.
func (l *linux) idlestIn(m *sim.Model, t *sim.Thread, set *cpu.Mask, from cpu.ID) cpu.ID {
	best := cpu.None
	for c := range m.In(set, from) {
		if !m.Allowed(t, c) {
			continue
		}
		if !m.Idle(c) && l.idle(m, c) {
			return c
		}
		if m.Idle(c) && (best == cpu.None || l.idler(m, c, best)) {
			best = c
		}
	}
	if best != cpu.None {
		return best
	}
	return m.Least(t, set, from)
}

func (l *linux) idler(m *sim.Model, c, best cpu.ID) bool {
	if a, b := busySiblings(m, c), busySiblings(m, best); a != b {
		return a < b
	}
	if a, b := m.Latency(c), m.Latency(best); a != b {
		return a < b
	}
	return m.IdleSince(c) > m.IdleSince(best)
}
