package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
)

// sight is the state of the machine before a placement.
type sight struct {
	faces []sched.Face
	homes []int
	cores []int
}

func (m *machine) see(p process.ID) *sight {
	var before sight
	for i := range m.cpus {
		c := cpu.ID(i)
		before.faces = append(before.faces, m.s.Look(c))
		before.homes = append(before.homes, m.s.Homes(p, c))
		before.cores = append(before.cores, m.s.CoreHomes(p, m.s.Topology().At[c].Core))
	}
	return &before
}

// checkOracle holds the placement that v just made against the oracle, and what it
// read against what was there.
func (m *machine) checkOracle(v *virtual, p *sched.Placement, before *sight) {
	if m.sc.NoOracle || !m.own() {
		return
	}
	m.checks.oracle.reach++
	c, key := Oracle(m.s.Topology(), &m.view)
	if c != p.CPU || key != p.Key {
		m.fail("oracle", "placed on CPU %d with key %v, the oracle says %d with %v", p.CPU, p.Key, c, key)
	}
	var explained sched.Ranking
	if m.s.Explain(&m.view, &explained); explained.CPU != p.CPU || explained.Term != p.Term {
		m.fail("oracle", "explained as CPU %d by term %d, placed on %d by term %d", explained.CPU, explained.Term, p.CPU, p.Term)
	}
	for _, r := range m.view.CPUs[:m.view.N] {
		face, homes, cores := before.faces[r.CPU], 0, 0
		if m.view.Near {
			homes, cores = before.homes[r.CPU], before.cores[r.CPU]
		}
		load := face.Load
		if m.view.Background {
			load += face.Background
		}
		if r.Load != load || sched.Idle(r.Idle) != face.Idle || int(r.Homes) != homes || int(r.CoreHomes) != cores {
			m.fail("oracle", "read %+v of a CPU that was %+v and home to %d, its core to %d", r, face, homes, cores)
		}
	}
}
