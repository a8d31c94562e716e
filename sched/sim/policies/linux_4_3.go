package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// wasted is linux with the four faults that cost it cores.
type wasted struct{ linux }

func init() {
	sim.Register("linux-4.3", "linux that balances averages, takes domains two hops apart for one, and stops balancing over domains after a hot-unplug",
		"Lozi et al., The Linux scheduler: a decade of wasted cores, EuroSys 2016", func() sim.Policy { return &wasted{} })
}

// Place stays in the spawner's LLC domain, from where balancing is to spread.
func (w *wasted) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	start := m.AllowedNear(t, from)
	c := w.idlestIn(m, t, m.Topology().Near(start), start)
	w.renorm(m, t, c)
	return c
}

// Idle takes from another LLC domain only if that one's average load is the higher
// one, is one hop away, and nothing was ever unplugged.
func (w *wasted) Idle(m *sim.Model, c cpu.ID) *sim.Thread {
	if t := m.StealBusiest(m.Topology().Near(c), c, 1); t != nil {
		return t
	}
	own := m.Topology().At[c].LLC
	for llc := range int32(m.Topology().LLCs) {
		hops := max(llc-own, own-llc)
		if hops != 1 || m.Unplugged() || w.average(m, llc) <= w.average(m, own) {
			continue
		}
		if t := m.StealBusiest(m.Topology().LLCMask(llc), c, 1); t != nil {
			return t
		}
	}
	return nil
}

// average is a domain's load for each CPU. A thread weighs the less the more threads
// its process has, so one that has a process to itself makes its domain look full.
func (w *wasted) average(m *sim.Model, llc int32) float64 {
	sum, cpus := 0.0, 0
	for c := range m.In(m.Topology().LLCMask(llc), 0) {
		cpus++
		if r := m.Running(c); r != nil {
			sum += w.weight(m, r)
		}
		for _, t := range m.Waiting(c) {
			sum += w.weight(m, t)
		}
	}
	return sum / float64(cpus)
}

func (w *wasted) weight(m *sim.Model, t *sim.Thread) float64 {
	n := 0
	for c := range cpu.ID(m.Topology().Count) {
		n += m.Homes(t, c)
	}
	return 1 / float64(max(n, 1))
}
