package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"sort"
	"time"
)

// kicked delivers the first kick on its way to v.
func (m *machine) kicked(v *virtual) {
	v.kicks = v.kicks[1:]
	m.enter(v)
}

// alarmed fires v's one-shot.
func (m *machine) alarmed(v *virtual) {
	v.alarm = -1
	m.enter(v)
}

// enter is an interrupt: it stops what runs, ends a sleep and looks for due alarms.
func (m *machine) enter(v *virtual) {
	if v.mode == modeHalted {
		m.s.LeaveIdle(v.id, m.now)
	} else {
		m.stop(v)
	}
	m.expire(v)
	m.toPass(v)
}

// expire wakes some of the threads whose waits are over.
func (m *machine) expire(v *virtual) {
	for range expiriesAnEntry {
		id, due := m.s.Expired(v.id, m.now)
		m.checkSteps(v, "Expired")
		if !due {
			return
		}
		if t := m.on[id]; id != 0 && t.waiting {
			t.waiting = false
			m.s.Wake(v.id, m.now, id, &v.act)
		}
	}
}

// toPass makes the next step of v the Pass that ends its entry.
func (m *machine) toPass(v *virtual) {
	v.mode = modePass
	v.until = m.now + m.random.between(50, 500)
}

// pass ends an entry: the scheduler chooses, its kicks go out.
func (m *machine) pass(v *virtual) {
	v.kicksSincePass = 0
	next, alarm := m.s.Pass(v.id, m.now, &v.act)
	m.checkSteps(v, "Pass")
	if rule := m.s.BrokenPass(v.id, m.now, alarm); rule != "" {
		m.fail("sound", "CPU %d: %s", v.id, rule)
	}
	v.alarm = alarm
	if alarm >= 0 && m.random.below(4) == 0 {
		v.alarm += m.random.between(0, time.Microsecond) // late
	}
	if next == 0 {
		v.mode = modeSettle
		v.until = m.now + m.random.between(10, 300)
	} else {
		m.resume(v, next)
	}
	m.carryOut(v)
}

// settle puts v to sleep unless something came in between.
func (m *machine) settle(v *virtual) {
	idle := m.s.EnterIdle(v.id, m.now, &v.act)
	m.checkSteps(v, "EnterIdle")
	if idle {
		if rule := m.s.BrokenIdle(v.id); rule != "" {
			m.fail("sound", "CPU %d: %s", v.id, rule)
		}
		v.mode = modeHalted
	} else {
		m.toPass(v)
	}
	m.carryOut(v)
}

// resume lets context id run on v.
func (m *machine) resume(v *virtual, id process.ContextID) {
	v.mode = modeUser
	v.from = m.now
	t := m.on[id]
	t.ran.Set(v.id)
	v.until = m.now + t.ahead()
	v.masked = t.masked()
}

// stop charges the current thread for its time so far.
func (m *machine) stop(v *virtual) {
	t := m.on[m.s.Current(v.id)]
	spent := min(m.now-v.from, t.left)
	t.left -= spent
	t.spent += spent
	v.user += spent
}

// carryOut sends the kicks that v's entry asked for and writes down what it did.
func (m *machine) carryOut(v *virtual) {
	m.noteKicks(v)
	for _, e := range v.act.Events[:v.act.N] {
		m.record(&e)
	}
	if v.act.Lost != 0 {
		m.fail("events-kept", "one entry of CPU %d lost %d events", v.id, v.act.Lost)
	}
	for c := v.act.Kicks.First(); c != cpu.None; c = v.act.Kicks.Next(c) {
		m.sendKick(&m.cpus[c])
	}
	v.act.Reset()
	v.noted = 0
}

// sendKick puts a kick on its way, which may take longer than that of a later one.
func (m *machine) sendKick(to *virtual) {
	late := m.sc.KickLate
	if late == 0 {
		late = 2 * time.Microsecond
	}
	if m.random.below(8) == 0 {
		late *= 20
	}
	to.kicks = append(to.kicks, m.now+m.random.between(100, max(late, 100)))
	sort.Slice(to.kicks, func(i, j int) bool { return to.kicks[i] < to.kicks[j] })
}

// record writes an event into the outcome.
func (m *machine) record(e *sched.Event) {
	switch e.Kind {
	case sched.EventKick:
		m.out.kick(m, e)
	case sched.EventMigrate:
		m.out.migrate(m, e)
	}
}
