package sim

import (
	"hearth/cpu"
	"hearth/process"
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
	homes     struct{ reach int }
	oracle    struct{ reach int }
	finalised struct{ reach int }
	steps     struct{ reach int }

	where map[process.ContextID]place
	buf   [process.MaxContexts]process.ContextID
}

// place is where a context was found.
type place struct {
	cpu    cpu.ID
	kind   placeKind
	copies int
}

type placeKind uint8

const (
	nowhere placeKind = iota
	running
	queued
	posted
)

// check holds the machine against every invariant, after each step.
func (m *machine) check() {
	m.checkPlaces()
	m.checkHomes()
	m.checkAffinity()
	m.checkConserved()
	for i := range m.cpus {
		v := &m.cpus[i]
		m.checkWakeup(v)
		m.checkAlarm(v)
		if rule := m.s.Broken(v.id); rule != "" {
			m.fail("sound", "CPU %d: %s", v.id, rule)
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
		"alarm-armed": c.alarm.reach, "homes-exact": c.homes.reach, "oracle": c.oracle.reach,
		"finalised-once": c.finalised.reach, "bounded-steps": c.steps.reach,
	}
}
