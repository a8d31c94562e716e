package sim

import (
	"fmt"
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

// OwnRule is the name of the invariant that the scheduler follows its own written rule,
// the Oracle's: the only one whose breach by itself costs no thread anything.
const OwnRule = "oracle"

// checkOracle holds the placement that was just made against the oracle, and what a
// search by summaries found against the scan that Hearth's scheduler makes besides,
// whichever rule it ranks by.
func (m *machine) checkOracle(p *sched.Placement) {
	s, ok := m.s.(interface{ differed() string })
	if !ok {
		return
	}
	m.checks.oracle.reach++
	unlike := s.differed()
	if unlike == "" && m.own() && !m.sc.NoOracle {
		unlike = m.unlike(p)
	}
	if unlike != "" {
		m.fail(OwnRule, "%s", unlike)
	}
}

// unlike says how a placement is not the oracle's, or not what Explain says of it; ""
// if it is both.
func (m *machine) unlike(p *sched.Placement) string {
	c, key := Oracle(m.s.Topology(), &m.view)
	if c != p.CPU || key != p.Key {
		return fmt.Sprintf("placed on CPU %d with key %v, the oracle says %d with %v", p.CPU, p.Key, c, key)
	}
	var explained sched.Ranking
	if m.s.Explain(&m.view, &explained); explained.CPU != p.CPU || explained.Term != p.Term {
		return fmt.Sprintf("explained as CPU %d by term %d, placed on %d by term %d", explained.CPU, explained.Term, p.CPU, p.Term)
	}
	return ""
}

// checkReads: read-true. A placement decides from what was there.
func (m *machine) checkReads(before *sight) {
	if m.sc.NoOracle || !m.own() {
		return
	}
	m.checks.reads.reach++
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
			m.fail("read-true", "read %+v of a CPU that was %+v and home to %d, its core to %d", r, face, homes, cores)
		}
	}
}
