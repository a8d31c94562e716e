package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
)

// kickOnItsWay reports whether c gets a kick: sent, or about to be by an entry that
// has not ended.
func (m *machine) kickOnItsWay(c cpu.ID) bool {
	return len(m.cpus[c].kicks) > 0 || m.cpus[c].decided > 0
}

// checkWakeup: no-lost-wakeup. A sleeping CPU has nothing to run, or a kick on its
// way; one that runs a program sees what is posted within a slice.
func (m *machine) checkWakeup(v *virtual) {
	face := m.s.Look(v.id)
	work := face.Mail || v.mode == modeHalted && face.Load+face.Background > 0
	if !work || v.mode != modeHalted && v.mode != modeUser {
		return
	}
	m.checks.wakeup.reach++
	if m.kickOnItsWay(v.id) {
		return
	}
	if v.mode == modeHalted {
		m.fail("no-lost-wakeup", "CPU %d sleeps on work (%+v) and no kick is on its way", v.id, face)
	} else if !m.slicing(v) && !m.mayWait(v) {
		m.fail("no-lost-wakeup", "CPU %d runs on with mail (%+v), no kick and no alarm within a slice", v.id, face)
	}
}

// slicing reports whether v's one-shot fires within a slice.
func (m *machine) slicing(v *virtual) bool {
	return v.alarm >= 0 && v.alarm <= m.now+sched.Slice+alarmLate
}

// mayWait reports whether all that is posted to v is content to wait until what runs
// there stops: it is no more urgent, and does not even share the CPU with it; and
// something that a sleeper could take waits there already, so there is no sleeper.
func (m *machine) mayWait(v *virtual) bool {
	face := m.s.Look(v.id)
	n := m.s.Posted(v.id, m.checks.buf[:])
	if face.Surplus == 0 || n == 0 {
		return false
	}
	current := m.rankOf(face.Current)
	for _, id := range m.checks.buf[:n] {
		posted := m.rankOf(id)
		if posted < current || posted == current && current != 0 {
			return false
		}
	}
	return true
}

// rankOf is the rank of what runs on a context.
func (m *machine) rankOf(id process.ContextID) int { return rank(m.s.Table().Context(id).Class()) }

// rank orders classes by urgency.
func rank(class process.Class) int {
	switch class {
	case process.RealTime:
		return 0
	case process.Background:
		return 2
	}
	return 1
}

// note has the next check look at what v's latest events touched, and checks its
// kicks: one-kick. Between two passes a CPU is sent one kick at most, and a wake kicks
// only a sleeper.
func (m *machine) note(v *virtual) {
	for i := v.noted; i < v.act.N; i++ {
		e := &v.act.Events[i]
		m.touch(e.From)
		m.touch(e.To)
		m.touchThread(m.who(e.Context))
		switch t := m.who(e.Context); {
		case e.Kind == sched.EventKick:
			m.noteKick(e)
		case e.Kind == sched.EventMigrate && t != nil:
			m.checkCore(t, e.To, v.act.Events[i+1:v.act.N])
		}
	}
	v.noted = v.act.N
}

func (m *machine) noteKick(e *sched.Event) {
	m.checks.kick.reach++
	to := &m.cpus[e.To]
	to.decided++
	to.kicksSincePass++
	if to.kicksSincePass > 1 {
		m.fail("one-kick", "CPU %d gets %d kicks before its next pass", e.To, to.kicksSincePass)
	}
	m.checkPoller(to, e.Reason)
	if asleep := to.mode == modeHalted; e.Reason == sched.KickWake && !asleep {
		m.fail("one-kick", "CPU %d is awake and gets a wake-up kick", e.To)
	}
}
