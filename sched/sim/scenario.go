package sim

import (
	"fmt"
	"hearth/cpu"
	"time"
)

// Scenario is a machine and what runs on it.
type Scenario struct {
	Topology *cpu.Topology // or
	Shape    string        // such as L(6,6)s2
	First    cpu.ID        // where main starts
	Main     []Op          // the first thread's program, of process 1
	KickLate time.Duration // bound of the delay of a kick; 0: 2 µs
	Steps    int           // bound of a run; 0: 200,000
	Isolated []cpu.ID
	Absent   []cpu.ID // never online
	NoOracle bool     // the test judges the placements by what comes of them
	Sparing  int      // with thousands of threads, check the machine every so many steps; 0: after each
}

// Violation is the error of a run that broke an invariant, or that stopped before
// all threads had ended.
type Violation struct {
	Invariant string // its name
	Detail    string
	Seed      uint64
	Step      int
	Now       time.Duration
}

// Error names the invariant and where it broke.
func (v *Violation) Error() string {
	return fmt.Sprintf("%s: seed %d, step %d, %v: %s", v.Invariant, v.Seed, v.Step, v.Now, v.Detail)
}

// Run takes the scenario through the interleaving of a seed. The error is a
// *Violation, or says what in the scenario cannot be.
func (sc *Scenario) Run(seed uint64) (*Outcome, error) {
	m, err := newMachine(sc, seed)
	if err != nil {
		return nil, err
	}
	limit := sc.Steps
	if limit == 0 {
		limit = 200_000
	}
	for m.step < limit && m.err == nil && m.advance() {
		m.step++
		for i := range m.cpus {
			m.noteKicks(&m.cpus[i])
		}
		if m.step%max(sc.Sparing, 1) == 0 {
			m.check()
		}
	}
	m.finish(limit)
	if m.err != nil {
		return &m.out, m.err
	}
	return &m.out, nil
}

// finish checks that every thread came to its end.
func (m *machine) finish(limit int) {
	m.out.Elapsed = m.now
	m.out.Steps = m.step
	defer func() { m.out.Reach = m.checks.reach() }()
	if m.err != nil {
		return
	}
	for _, t := range m.threads {
		if t.done {
			m.checkSpent(t)
			continue
		}
		if m.step >= limit {
			m.fail("bounded-run", "after %d steps %s has not ended", limit, t)
		} else {
			m.fail("no-lost-wakeup", "nothing will ever happen again, and %s has not ended", t)
		}
		return
	}
}
