package sim

import (
	"fmt"
	"hearth/cpu"
	"time"
)

// Scenario is a machine, what runs on it and what must come of it. Its text form is
// the language that Parse reads and String writes.
type Scenario struct {
	Name   string // such as P05
	Kind   string // what of it, such as woken
	Title  string // the claim in one line
	Report string // the public report that it goes back to
	Fails  []Failing
	Expect []Expectation

	Topology *cpu.Topology // or
	Shape    string        // such as L(6,6)s2; see Machine
	First    cpu.ID        // where main starts
	Main     []Op          // the first thread's program, of process 1
	KickLate time.Duration // bound of the delay of a kick; 0: 2 µs
	Steps    int           // bound of a run; 0: 200,000
	Isolated []cpu.ID
	Absent   []cpu.ID      // never online
	Slow     []Slowness    // the others are 0
	Latency  []Latency     // the others are 0
	Poll     time.Duration // how long a CPU with nothing to run polls at most before it halts
	Costs    string        // the preset of what things cost; empty: amd-2llc

	Seeds      int  // how many a full run takes; 0: 1,000
	Exhaustive int  // above 0: every sequence of choices that departs so often from the first, instead of seeds
	NoOracle   bool // the test judges the placements by what comes of them
	Sparing    int  // with thousands of threads, check the machine every so many steps; 0: after each

	file string // what it was parsed from, for errors
}

// Slowness says how much slower than the fastest CPU some are, in any unit.
type Slowness struct {
	CPUs string // a mask
	By   uint16
}

// Latency says how long some CPUs take to leave the state in which they halt.
type Latency struct {
	CPUs string // a mask
	Exit time.Duration
}

// Options say how a scenario is run. The zero value runs it on Hearth's scheduler
// with seed 0.
type Options struct {
	Seed   uint64
	Mode   Mode
	Bytes  []byte // the choices of ModeBytes
	Engine string // a name of Engines; empty: hearth
	Keep   bool   // a violation is counted and the run goes on

	Counted []string // invariants whose violations alone are counted

	Patience time.Duration // how long, in real time, a step under a policy may take; 0: 10 s
	watch    *watch        // of the run, nil if nobody watches it
}

// Mode says who makes the choices of a run.
type Mode string

const (
	// ModeSeeded draws them from the seed. It is the default.
	ModeSeeded Mode = "seeded"
	// ModePCT gives the CPUs random priorities that change a few times: see Depth.
	ModePCT Mode = "pct"
	// ModeBytes takes them from Options.Bytes.
	ModeBytes Mode = "bytes"
)

// chooser makes what makes the choices of a run on so many CPUs.
func (o *Options) chooser(cpus int) (chooser, error) {
	switch o.Mode {
	case "", ModeSeeded:
		return &random{o.Seed}, nil
	case ModePCT:
		return newPriorities(o.Seed, cpus), nil
	case ModeBytes:
		return &bytesChooser{o.Bytes}, nil
	}
	return nil, fmt.Errorf("unknown mode %q: want one of %s %s %s", o.Mode, ModeSeeded, ModePCT, ModeBytes)
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

// Run takes the scenario through one interleaving. The error is a *Violation or a
// *Missed, or says what in the scenario or the options cannot be.
func (sc *Scenario) Run(o Options) (*Outcome, error) {
	top, err := sc.topology()
	if err != nil {
		return nil, err
	}
	by, err := o.chooser(top.Count)
	if err != nil {
		return nil, err
	}
	out, err := sc.run(&o, by)
	if err == nil {
		err = sc.Judge(out)
	}
	return out, err
}

// run takes the scenario through the interleaving that by chooses; it judges nothing
// but the invariants.
func (sc *Scenario) run(o *Options, by chooser) (*Outcome, error) {
	if o.own() {
		return sc.once(o, by)
	}
	return sc.watched(o, by)
}

// once makes the run, and tells who watches it how far it is.
func (sc *Scenario) once(o *Options, by chooser) (*Outcome, error) {
	m, err := newMachine(sc, o, by)
	if err != nil {
		return nil, err
	}
	defer giveBack(m.s)
	limit := sc.Steps
	if limit == 0 {
		limit = 200_000
	}
	m.drive(limit)
	m.finish(limit)
	return m.out, m.err
}

// drive takes steps until nothing is left to do, or the run may take no more. What a
// policy panics with is its failure, and says where in the run; a panic of Hearth's
// scheduler is a fault here and keeps its stack.
func (m *machine) drive(limit int) {
	if !m.own() {
		defer func() {
			if p := recover(); p != nil {
				m.err = &Violation{"policy", m.o.panicked(p), m.o.Seed, m.step, m.now}
			}
		}()
	}
	for m.within(limit) && m.err == nil && m.advance() {
		m.step++
		if m.o.watch != nil {
			m.o.watch.steps.Store(int64(m.step))
		}
		m.note(&m.cpus[m.last])
		if m.step%max(m.sc.Sparing, 1) == 0 {
			m.check()
		}
	}
}

// looksAStep is how many looks of CPUs that poll a run may make for each step that it
// may take: one that is idle for a second polls for long.
const looksAStep = 20

// within reports whether a run may take another step.
func (m *machine) within(limit int) bool {
	return m.step-m.looks < limit && m.looks < looksAStep*limit
}

// finish checks that every thread came to its end.
func (m *machine) finish(limit int) {
	m.out.Elapsed = m.now
	m.out.Reads = m.reads()
	m.out.Steps = m.step
	if m.err == nil && m.sc.Sparing == 0 {
		m.touchAll()
		m.check()
	}
	defer func() { m.out.Reach = m.checks.reach() }()
	if m.err != nil {
		return
	}
	for _, t := range m.threads {
		if t.done {
			m.checkSpent(t)
			continue
		}
		if !m.within(limit) {
			m.fail("bounded-run", "after %d steps %s has not ended", m.step, t)
		} else {
			m.fail("no-lost-wakeup", "nothing will ever happen again, and %s has not ended", t)
		}
		return
	}
}
