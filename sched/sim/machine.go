package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"slices"
	"time"
)

// machine is one run: the scheduler, the virtual CPUs that obey it, and the threads
// whose programs they execute.
type machine struct {
	sc       *Scenario
	o        *Options
	chooser  chooser
	costs    *costs
	s        engine
	cpus     []virtual
	calendar calendar
	choices  []choice
	last     cpu.ID    // took the last step
	threads  []*thread // in order of creation
	names    map[string]*thread
	pools    map[string]*items
	on       []*thread // by context
	masks    map[string]*cpu.Mask
	now      time.Duration
	step     int
	looks    int        // steps that only looked at an inbox: polling is no progress, and does not end a run
	doing    *Op        // nil before the first
	view     sched.View // of the placement that is made
	checks   checker
	out      *Outcome
	err      error

	gang gang

	everOffline bool // a scenario may ask for CPUs that are offline
	online      cpu.Mask
	isolated    cpu.Mask
	asleep      cpu.Mask // halted or polling
}

// virtual is a CPU. Its mode says which step it takes next.
type virtual struct {
	id    cpu.ID
	mode  mode
	until time.Duration   // when the step of the mode can be taken
	from  time.Duration   // modeUser: since when the current thread runs
	alarm time.Duration   // of the one-shot, negative if it is not armed
	kicks []time.Duration // when each kick on its way arrives
	act   sched.Actions
	due   time.Duration // when the next step can be taken, whatever it is
	slot  int           // in the calendar

	noted          int32  // events of act that the checker has seen
	charged        int32  // events of act that the CPU has paid for
	steps          uint64 // of the scheduler's calls that it has seen
	kicksSincePass int    // decided, not sent
	decided        int    // kicks to it that an entry decided and has not sent
	previous       process.ContextID
	held           process.ContextID // what it ran last, until the Pass after that
	exit           time.Duration     // what leaving its halt takes
	pollUntil      time.Duration     // modePoll: when it halts
	user           time.Duration     // time spent in programs
	masked         bool              // modeUser: with interrupts off
	touched        bool
	list           []process.ContextID // what the checker found here, the current context first
	contests       contests
}

type mode uint8

const (
	modePass   mode = iota // its entry ends with a Pass
	modeSettle             // the Pass gave nothing: EnterIdle
	modePoll               // it looks for what is posted before it halts
	modeHalted
	modeUser
	modeAbsent
)

const image process.ID = 1

func newMachine(sc *Scenario, o *Options, by chooser) (*machine, error) {
	top, err := sc.topology()
	if err != nil {
		return nil, err
	}
	if int(sc.First) >= top.Count || slices.Contains(sc.Absent, sc.First) {
		return nil, fmt.Errorf("scenario: main cannot start on CPU %d: it is not there", sc.First)
	}
	s, err := takeEngine(o.Engine)
	if err != nil {
		return nil, err
	}
	m := &machine{
		sc: sc, o: o, chooser: by, costs: sc.charged(), s: s,
		cpus: make([]virtual, top.Count), names: map[string]*thread{}, masks: map[string]*cpu.Mask{},
		out: &Outcome{Seed: o.Seed, top: top, first: sc.First, spells: spells{keep: sc.expects("peak-running")}},
	}
	if p, ok := s.(seeded); ok {
		p.seed(o.Seed)
	}
	if p, ok := s.(watchable); ok {
		p.watchedBy(o.watch)
	}
	m.s.Init(top)
	m.s.SetPollBudget(sc.Poll)
	if err := m.describe(); err != nil {
		return nil, err
	}
	main := m.newThread("main", sc.Main, process.Fair, image, 0)
	m.s.Start(sc.First, main.context, 0)
	m.touchAll()
	return m, m.err
}

// describe tells the scheduler about each CPU and brings those online that are there.
func (m *machine) describe() error {
	m.calendar.cpus = make([]*virtual, len(m.cpus))
	for i := range m.cpus {
		v := &m.cpus[i]
		v.id, v.slot, v.alarm, v.exit = cpu.ID(i), i, -1, m.costs.idleExit
		m.calendar.cpus[i] = v
	}
	for _, c := range m.sc.Isolated {
		m.s.SetIsolated(c)
		m.isolated.Set(c)
	}
	for _, slow := range m.sc.Slow {
		if err := m.each(slow.CPUs, func(c cpu.ID) { m.s.SetSlowness(c, slow.By) }); err != nil {
			return err
		}
	}
	for _, deep := range m.sc.Latency {
		if err := m.each(deep.CPUs, func(c cpu.ID) {
			m.s.SetExitLatency(c, deep.Exit)
			m.cpus[c].exit = deep.Exit
		}); err != nil {
			return err
		}
	}
	for i := range m.cpus {
		if slices.Contains(m.sc.Absent, cpu.ID(i)) {
			m.cpus[i].mode = modeAbsent
			m.cpus[i].due = never
		} else {
			m.s.Online(cpu.ID(i), 0)
		}
	}
	for i := range m.cpus {
		m.calendar.move(m.cpus[i].slot)
	}
	m.countOnline()
	return nil
}

func (m *machine) countOnline() {
	m.online.Reset()
	for i := range m.cpus {
		if m.s.IsOnline(cpu.ID(i)) {
			m.online.Set(cpu.ID(i))
		}
	}
}

// each calls do for the machine's CPUs of a mask.
func (m *machine) each(text string, do func(cpu.ID)) error {
	set, err := m.mask(text)
	if err != nil {
		return err
	}
	for i := range m.cpus {
		if set.Has(cpu.ID(i)) {
			do(cpu.ID(i))
		}
	}
	return nil
}

// mask returns the CPUs of a mask's text, which the caller only reads.
func (m *machine) mask(text string) (*cpu.Mask, error) {
	if set := m.masks[text]; set != nil {
		return set, nil
	}
	set, err := cpu.ParseMask(text)
	m.masks[text] = &set
	return &set, err
}

// who returns the thread of a context, nil if it has none.
func (m *machine) who(id process.ContextID) *thread {
	if int(id) >= len(m.on) {
		return nil
	}
	return m.on[id]
}

// fail records a violation. The first one ends the run, unless they are to be counted.
func (m *machine) fail(invariant, format string, args ...any) {
	if m.o.Keep || slices.Contains(m.o.Counted, invariant) {
		m.count(invariant)
		return
	}
	if m.err == nil {
		m.err = &Violation{invariant, fmt.Sprintf(format, args...), m.o.Seed, m.step, m.now}
	}
}

// count notes a violation and lets the run go on.
func (m *machine) count(invariant string) {
	if m.out.Violations == nil {
		m.out.Violations = map[string]int{}
	}
	m.out.Violations[invariant]++
}

// own reports whether the scheduler is Hearth's and not a model.
func (m *machine) own() bool {
	_, own := m.s.(*real)
	return own
}
