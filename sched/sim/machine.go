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
	sc      *Scenario
	seed    uint64
	random  random
	s       engine
	cpus    []virtual
	threads []*thread // in order of creation
	names   map[string]*thread
	on      map[process.ContextID]*thread
	now     time.Duration
	step    int
	checks  checker
	out     Outcome
	err     error

	everOffline bool // some CPU was told to leave: a mask may be refused
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
	view  sched.View

	noted          int32         // events of act that the checker has seen
	steps          uint64        // of the scheduler's calls that it has seen
	kicksSincePass int           // decided, not sent
	user           time.Duration // time spent in programs
	masked         bool          // modeUser: with interrupts off
}

type mode uint8

const (
	modePass   mode = iota // its entry ends with a Pass
	modeSettle             // the Pass gave nothing: EnterIdle
	modeHalted
	modeUser
	modeAbsent
)

const image process.ID = 1

func newMachine(sc *Scenario, o *Options) (*machine, error) {
	top := sc.Topology
	if top == nil {
		var err error
		if top, err = Machine(sc.Shape); err != nil {
			return nil, err
		}
	}
	s, err := newEngine(o.Engine)
	if err != nil {
		return nil, err
	}
	m := &machine{
		sc: sc, seed: o.Seed, random: random{o.Seed}, s: s,
		cpus: make([]virtual, top.Count), names: map[string]*thread{}, on: map[process.ContextID]*thread{},
	}
	m.out.Seed, m.out.top = o.Seed, top
	if int(sc.First) >= top.Count || slices.Contains(sc.Absent, sc.First) {
		return nil, fmt.Errorf("scenario: main cannot start on CPU %d: it is not there", sc.First)
	}
	m.s.Init(top)
	if err := m.describe(); err != nil {
		return nil, err
	}
	main := m.newThread("main", sc.Main, process.Fair)
	m.s.Start(sc.First, main.context, 0)
	return m, m.err
}

// describe tells the scheduler about each CPU and brings those online that are there.
func (m *machine) describe() error {
	for _, c := range m.sc.Isolated {
		m.s.SetIsolated(c)
	}
	for _, slow := range m.sc.Slow {
		if err := m.each(slow.CPUs, func(c cpu.ID) { m.s.SetSlowness(c, slow.By) }); err != nil {
			return err
		}
	}
	for _, deep := range m.sc.Latency {
		if err := m.each(deep.CPUs, func(c cpu.ID) { m.s.SetExitLatency(c, deep.Exit) }); err != nil {
			return err
		}
	}
	for i := range m.cpus {
		m.cpus[i].id = cpu.ID(i)
		m.cpus[i].alarm = -1
		if slices.Contains(m.sc.Absent, cpu.ID(i)) {
			m.cpus[i].mode = modeAbsent
		} else {
			m.s.Online(cpu.ID(i), 0)
		}
	}
	return nil
}

// each calls do for the machine's CPUs of a mask.
func (m *machine) each(mask string, do func(cpu.ID)) error {
	set, err := cpu.ParseMask(mask)
	for i := range m.cpus {
		if set.Has(cpu.ID(i)) {
			do(cpu.ID(i))
		}
	}
	return err
}

// advance takes one step; false if nothing will ever happen again.
func (m *machine) advance() bool {
	for {
		choices, next := m.enabled()
		if len(choices) > 0 {
			c := choices[m.random.below(len(choices))]
			c.take(m, c.cpu)
			return true
		}
		if next < 0 {
			return false
		}
		m.checkStretch(next)
		m.now = next
	}
}

// choice is a step that a CPU can take now.
type choice struct {
	cpu  *virtual
	take func(*machine, *virtual)
}

// enabled lists the steps that can be taken now and, if there is none, when the
// next one can be; negative for never.
func (m *machine) enabled() (choices []choice, next time.Duration) {
	next = -1
	offer := func(v *virtual, at time.Duration, take func(*machine, *virtual)) {
		switch {
		case at <= m.now:
			choices = append(choices, choice{v, take})
		case next < 0 || at < next:
			next = at
		}
	}
	for i := range m.cpus {
		v := &m.cpus[i]
		switch v.mode {
		case modePass:
			offer(v, v.until, (*machine).pass)
		case modeSettle:
			offer(v, v.until, (*machine).settle)
		case modeUser:
			offer(v, v.until, (*machine).user)
			if !v.masked {
				m.offerInterrupts(v, offer)
			}
		case modeHalted:
			m.offerInterrupts(v, offer)
		}
	}
	return choices, next
}

func (m *machine) offerInterrupts(v *virtual, offer func(*virtual, time.Duration, func(*machine, *virtual))) {
	if len(v.kicks) > 0 {
		offer(v, v.kicks[0], (*machine).kicked)
	}
	if v.alarm >= 0 {
		offer(v, v.alarm, (*machine).alarmed)
	}
}

// fail records the first violation; the run ends with it.
func (m *machine) fail(invariant, format string, args ...any) {
	if m.err == nil {
		m.err = &Violation{invariant, fmt.Sprintf(format, args...), m.seed, m.step, m.now}
	}
}
