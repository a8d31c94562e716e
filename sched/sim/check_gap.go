package sim

import (
	"hearth/cpu"
	"hearth/sched"
	"slices"
	"time"
)

// What the gap to the oracle is measured by: how long a thread's first slice of work
// takes if it starts on a CPU, on a machine that stands still. Two threads of one core
// get 0.65 of it each (SMT yields about 1.3 in all); a pair that works together over
// 64 KiB pays for as many lines from another LLC domain. Who is parked costs nothing
// now: what homes are for, that threads which are woken together do not meet, shows in
// the waits of the scenarios.
const (
	work      = sched.Slice
	shared    = work * 54 / 100
	pairLines = 64 * 1024 / 64
)

// gapCPUs is the largest machine on which every decision is compared: there each CPU
// can be looked at.
const gapCPUs = 16

// noteGap compares the placement of a thread with the best one that there was. Nobody
// is preempted while a CPU sleeps: what such a thread wins, the other one loses.
func (m *machine) noteGap(p *sched.Placement, before *sight) {
	if m.out.top.Count > gapCPUs || m.view.N == 0 {
		return
	}
	spare := m.anyFree()
	best, got := never, never
	for i := range m.view.CPUs[:m.view.N] {
		r := &m.view.CPUs[i]
		if r.CPU != p.CPU && (!candidate(r) || spare && r.Flags&sched.RawPreemptible != 0) {
			continue
		}
		takes := m.modelled(r, before)
		best = min(best, takes)
		if r.CPU == p.CPU {
			got = takes
		}
	}
	if got == never {
		return
	}
	gap := float64(got-best) / float64(best)
	m.out.Gaps++
	m.out.GapSum += gap
	m.out.GapWorst = max(m.out.GapWorst, gap)
}

// anyFree reports whether the thread of the view finds a CPU with nothing to do.
func (m *machine) anyFree() bool {
	return slices.ContainsFunc(m.view.CPUs[:m.view.N], func(r sched.Raw) bool { return candidate(&r) && r.Free() })
}

func candidate(r *sched.Raw) bool {
	return r.Flags&sched.RawAllowed != 0 && r.Flags&sched.RawAnswering != 0
}

// modelled returns how long the thread's first slice of work takes on a CPU: waiting
// for each that is before it, waking the CPU, computing, and fetching lines.
func (m *machine) modelled(r *sched.Raw, before *sight) time.Duration {
	takes := time.Duration(r.Load)*work + work*time.Duration(1000+int(r.Slowness))/1000
	switch {
	case r.Sleeper():
		takes += m.costs.kick(m.far(m.view.Spawner, r.CPU)) + m.cpus[r.CPU].exit
	case r.Flags&sched.RawPreemptible != 0:
		takes += m.costs.kick(m.far(m.view.Spawner, r.CPU)) // it runs background work alone, which gives way
	default:
		takes += work // of what runs or is about to
	}
	if m.sharesCore(r.CPU, before) {
		takes += shared
	}
	if m.view.Near && m.far(m.view.Spawner, r.CPU) {
		takes += pairLines * (m.costs.lineFar - m.costs.lineNear)
	}
	return takes
}

// sharesCore reports whether a sibling of c has something to do.
func (m *machine) sharesCore(c cpu.ID, before *sight) bool {
	core := m.out.top.Siblings(c)
	for i := core.First(); i != cpu.None; i = core.Next(i) {
		face := &before.faces[i]
		if i != c && m.online.Has(i) && (!sleeps(face.Idle) || face.Load+face.Background > 0) {
			return true
		}
	}
	return false
}
