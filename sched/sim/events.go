package sim

import (
	"hearth/cpu"
	"math"
	"slices"
	"time"
)

// never is a time that does not come.
const never = time.Duration(math.MaxInt64)

// calendar is a heap of the CPUs by when the next step of each can be taken.
type calendar struct{ cpus []*virtual }

func (c *calendar) before(i, j int) bool { return c.cpus[i].due < c.cpus[j].due }

func (c *calendar) swap(i, j int) {
	c.cpus[i], c.cpus[j] = c.cpus[j], c.cpus[i]
	c.cpus[i].slot, c.cpus[j].slot = i, j
}

// move puts the CPU of slot i, whose time has changed, where it belongs.
func (c *calendar) move(i int) {
	for i > 0 && c.before(i, (i-1)/2) {
		c.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
	for {
		least := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(c.cpus) && c.before(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		c.swap(i, least)
		i = least
	}
}

// schedule writes down when v's next step can be taken.
func (m *machine) schedule(v *virtual) {
	if due := v.next(); due != v.due {
		v.due = due
		m.calendar.move(v.slot)
	}
}

// next returns the earliest time at which v can take a step.
func (v *virtual) next() time.Duration {
	at := never
	switch v.mode {
	case modePass, modeSettle:
		return v.until
	case modeUser, modePoll:
		at = v.until
	case modeAbsent:
		return never
	}
	if v.mode == modeUser && v.masked {
		return at
	}
	if len(v.kicks) > 0 {
		at = min(at, v.kicks[0])
	}
	if v.alarm >= 0 {
		at = min(at, v.alarm)
	}
	return at
}

// choice is a step that a CPU can take now.
type choice struct {
	cpu  cpu.ID
	step step
}

type step uint8

const (
	stepPass step = iota
	stepSettle
	stepPoll
	stepUser
	stepKick
	stepAlarm
)

// enabled lists the steps that can be taken now, by CPU.
func (m *machine) enabled() []choice {
	m.choices = m.choices[:0]
	m.collect(0)
	slices.SortFunc(m.choices, func(a, b choice) int {
		if a.cpu != b.cpu {
			return int(a.cpu - b.cpu)
		}
		return int(a.step) - int(b.step)
	})
	return m.choices
}

// collect lists those of slot i and of what lies below it in the heap.
func (m *machine) collect(i int) {
	if i >= len(m.calendar.cpus) || m.calendar.cpus[i].due > m.now {
		return
	}
	m.offer(m.calendar.cpus[i])
	m.collect(2*i + 1)
	m.collect(2*i + 2)
}

func (m *machine) offer(v *virtual) {
	add := func(s step, at time.Duration) {
		if at <= m.now {
			m.choices = append(m.choices, choice{v.id, s})
		}
	}
	switch v.mode {
	case modePass:
		add(stepPass, v.until)
		return
	case modeSettle:
		add(stepSettle, v.until)
		return
	case modePoll:
		add(stepPoll, v.until)
	case modeUser:
		add(stepUser, v.until)
		if v.masked {
			return
		}
	}
	if len(v.kicks) > 0 {
		add(stepKick, v.kicks[0])
	}
	if v.alarm >= 0 {
		add(stepAlarm, v.alarm)
	}
}

// take makes v take a step.
func (m *machine) take(v *virtual, s step) {
	switch s {
	case stepPass:
		m.pass(v)
	case stepSettle:
		m.settle(v)
	case stepPoll:
		m.look(v)
	case stepUser:
		m.user(v)
	case stepKick:
		m.kicked(v)
	case stepAlarm:
		m.alarmed(v)
	}
	m.schedule(v)
}

// advance takes one step; false if nothing will ever happen again.
func (m *machine) advance() bool {
	choices := m.enabled()
	for len(choices) == 0 {
		next := m.calendar.cpus[0].due
		if next == never {
			return false
		}
		m.checkStretch(next)
		m.now = next
		choices = m.enabled()
	}
	at := 0
	if len(choices) > 1 {
		at = m.chooser.step(m, choices)
	}
	c := choices[at]
	v := &m.cpus[c.cpu]
	m.touch(c.cpu)
	m.last = c.cpu
	m.take(v, c.step)
	return true
}
