package sim

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// checker holds what the invariants remember between steps. reach counts how often
// one was really put to the test: a run that never did proves nothing.
type checker struct {
	place     struct{ reach int }
	wakeup    struct{ reach int }
	affinity  struct{ reach, asked int }
	conserved struct{ reach int }
	kick      struct{ reach int }
	time      struct{ reach int }
	alarm     struct{ reach int }
	homes     homes
	oracle    struct{ reach int }
	reads     struct{ reach int }
	finalised struct{ reach int }
	steps     struct{ reach int }
	poll      struct{ reach int }
	fair      struct {
		reach  int
		masked time.Duration // the longest time with interrupts off so far
	}
	core   struct{ reach int }
	bounds struct{ reach int }
	saved  struct {
		reach int
		by    [process.MaxContexts + 1]*virtual // who has a context in its registers
	}

	cpus    []cpu.ID  // touched since the last check
	threads []*thread // touched since the last check
	waiting []*thread // queued or posted
	where   []place   // by context
	buf     [process.MaxContexts]process.ContextID
}

// place is where a context was found.
type place struct {
	cpu    cpu.ID
	kind   placeKind
	copies int32
}

type placeKind uint8

const (
	nowhere placeKind = iota
	running
	queued
	posted
)

// everySteps is how often the whole machine is checked, and not only what a step
// touched: what the scheduler changed without telling is found then.
const everySteps = 512

// check holds the machine against every invariant, after each step: the CPUs that the
// step touched, and the threads that are or were there.
func (m *machine) check() {
	if m.step%everySteps == 0 {
		m.touchAll()
	}
	m.locate()
	m.checkHomes()
	m.checkConserved()
	for _, c := range m.checks.cpus {
		v := &m.cpus[c]
		v.touched = false
		m.checkAffinity(v)
		m.checkWakeup(v)
		m.checkAlarm(v)
		m.checkFair(v)
		if rule := m.s.Broken(v.id); rule != "" {
			m.fail("sound", "CPU %d: %s", v.id, rule)
		}
	}
	for _, t := range m.checks.threads {
		t.touched = false
	}
	m.checks.cpus, m.checks.threads = m.checks.cpus[:0], m.checks.threads[:0]
}

// touch has the next check look at a CPU.
func (m *machine) touch(c cpu.ID) {
	if v := &m.cpus[c]; !v.touched {
		v.touched = true
		m.checks.cpus = append(m.checks.cpus, c)
	}
}

// touchThread has the next check look at a thread.
func (m *machine) touchThread(t *thread) {
	if t != nil && !t.touched {
		t.touched = true
		m.checks.threads = append(m.checks.threads, t)
	}
}

// touchAll has the next check look at everything.
func (m *machine) touchAll() {
	for i := range m.cpus {
		m.touch(cpu.ID(i))
	}
	for _, t := range m.threads {
		if !t.done {
			m.touchThread(t)
		}
	}
}

// Invariants returns the names of all that is checked after each step, in order.
func Invariants() []string { return sortedKeys(new(checker).reach()) }

// reach tells how often each invariant was put to the test.
func (c *checker) reach() map[string]int {
	return map[string]int{
		"one-place": c.place.reach, "no-lost-wakeup": c.wakeup.reach, "affinity-held": c.affinity.reach,
		"work-conserved": c.conserved.reach, "one-kick": c.kick.reach, "time-conserved": c.time.reach,
		"alarm-armed": c.alarm.reach, "homes-exact": c.homes.reach, OwnRule: c.oracle.reach, "read-true": c.reads.reach,
		"finalised-once": c.finalised.reach, "bounded-steps": c.steps.reach,
		"free-core-first": c.core.reach, "bounded-decision": c.bounds.reach,
		"context-saved": c.saved.reach, "poll-answered": c.poll.reach, "fair-bound": c.fair.reach,
	}
}
