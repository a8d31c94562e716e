package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"slices"
	"time"
)

// kicked delivers the first kick on its way to v.
func (m *machine) kicked(v *virtual) {
	v.kicks = v.kicks[:copy(v.kicks, v.kicks[1:])]
	m.enter(v)
}

// alarmed fires v's one-shot.
func (m *machine) alarmed(v *virtual) {
	v.alarm = -1
	m.enter(v)
}

// enter is an interrupt: it stops what runs, ends a sleep and looks for due alarms.
func (m *machine) enter(v *virtual) {
	exit := time.Duration(0)
	switch v.mode {
	case modeHalted:
		exit = v.exit
		m.awaken(v)
	case modePoll:
		m.awaken(v)
	default:
		m.stop(v)
	}
	m.expire(v)
	m.toPass(v)
	v.until += m.lasting(exit)
}

// expire wakes some of the threads whose waits are over.
func (m *machine) expire(v *virtual) {
	for range expiriesAnEntry {
		id, due := m.s.Expired(v.id, m.now)
		m.checkSteps(v, "Expired")
		if !due {
			return
		}
		if t := m.who(id); t != nil && t.waiting {
			t.waiting = false
			t.expired(m.now)
			m.wakeUp(v, id)
		}
	}
}

// toPass makes the next step of v the Pass that ends its entry.
func (m *machine) toPass(v *virtual) {
	v.mode = modePass
	v.until = m.now + m.lasting(m.costs.entry+m.lines(v))
}

// pass ends an entry: the scheduler chooses, its kicks go out.
func (m *machine) pass(v *virtual) {
	v.kicksSincePass = 0
	next, alarm := m.s.Pass(v.id, m.now, &v.act)
	m.passed(v)
	m.checkSteps(v, "Pass")
	if rule := m.s.BrokenPass(v.id, m.now, alarm); rule != "" {
		m.fail("sound", "CPU %d: %s", v.id, rule)
	}
	v.alarm = alarm
	if alarm >= 0 && m.chooser.chance(4) {
		v.alarm += m.chooser.between(0, time.Microsecond) // late
	}
	posts := m.lines(v)
	if next == 0 {
		v.mode = modeSettle
		v.until = m.now + m.lasting(m.costs.settle+posts)
	} else {
		m.resume(v, next, m.lasting(posts))
	}
	m.carryOut(v)
}

// awaken ends v's sleep.
func (m *machine) awaken(v *virtual) {
	m.asleep.Clear(v.id)
	m.s.LeaveIdle(v.id, m.now)
}

// settle puts v to sleep unless something came in between.
func (m *machine) settle(v *virtual) {
	idle := m.s.EnterIdle(v.id, m.now, &v.act)
	m.checkSteps(v, "EnterIdle")
	if idle {
		if rule := m.s.BrokenIdle(v.id); rule != "" {
			m.fail("sound", "CPU %d: %s", v.id, rule)
		}
		m.asleep.Set(v.id)
		m.idle(v)
	} else {
		m.toPass(v)
	}
	m.carryOut(v)
}

// resume lets context id run on v after a time, once its registers are there.
func (m *machine) resume(v *virtual, id process.ContextID, after time.Duration) {
	v.mode = modeUser
	m.holds(v, id)
	v.from = m.now + after
	if id != v.previous {
		v.from += m.lasting(m.costs.change)
		v.previous = id
	}
	t := m.who(id)
	m.out.begin(t.name, v.from)
	t.ran.Set(v.id)
	v.until = v.from + t.ahead(m.chooser)
	if v.masked = t.masked(); v.masked {
		m.checks.fair.masked = max(m.checks.fair.masked, t.left)
	}
}

// stop charges the current thread for its time so far.
func (m *machine) stop(v *virtual) {
	t := m.who(m.s.Current(v.id))
	m.out.stop(t.name, m.now)
	spent := min(max(m.now-v.from, 0), t.left)
	t.left -= spent
	t.spent += spent
	v.user += spent
	m.entered(v)
}

// carryOut sends the kicks that v's entry asked for and writes down what it did.
func (m *machine) carryOut(v *virtual) {
	m.note(v)
	for i := range v.act.Events[:v.act.N] {
		m.record(&v.act.Events[i])
	}
	if v.act.Lost != 0 {
		m.fail("events-kept", "one entry of CPU %d lost %d events", v.id, v.act.Lost)
	}
	for c := v.act.Kicks.First(); c != cpu.None; c = v.act.Kicks.Next(c) {
		m.sendKick(v, &m.cpus[c])
	}
	v.act.Reset()
	v.noted, v.charged = 0, 0
}

// sendKick puts a kick on its way, which may take longer than that of a later one.
func (m *machine) sendKick(from, to *virtual) {
	to.decided = max(to.decided-1, 0)
	least, late := m.costs.kick(m.far(from.id, to.id)), m.sc.KickLate
	if late == 0 {
		late = 2 * time.Microsecond
	}
	if m.chooser.chance(8) {
		late *= 20
	}
	to.kicks = append(to.kicks, m.now+m.chooser.between(min(least, late), late))
	slices.Sort(to.kicks)
	m.schedule(to)
}

// record writes an event into the outcome.
func (m *machine) record(e *sched.Event) {
	switch e.Kind {
	case sched.EventKick:
		m.out.kick(m, e)
	case sched.EventMigrate:
		m.out.migrate(m, e)
	case sched.EventWake:
		m.out.Wakes++
	case sched.EventPreempt:
		if t := m.who(e.Context); t != nil {
			t.tally.Preempted++
		}
	}
}

// far reports whether two CPUs lie in different LLC domains.
func (m *machine) far(a, b cpu.ID) bool { return m.out.top.At[a].LLC != m.out.top.At[b].LLC }
