package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
)

// kickOnItsWay reports whether c gets a kick: sent, or about to be by an entry that
// has not ended.
func (m *machine) kickOnItsWay(c cpu.ID) bool {
	if len(m.cpus[c].kicks) > 0 {
		return true
	}
	for i := range m.cpus {
		if m.cpus[i].act.Kicks.Has(c) {
			return true
		}
	}
	return false
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
	current := rank(m.s.Table().Context(face.Current).Class())
	for _, id := range m.checks.buf[:n] {
		posted := rank(m.s.Table().Context(id).Class())
		if posted < current || posted == current && current != 0 {
			return false
		}
	}
	return true
}

// rank orders classes by urgency.
func rank(class process.Class) int {
	return map[process.Class]int{process.RealTime: 0, process.Fair: 1, process.Service: 1, process.Background: 2}[class]
}

// noteKicks: one-kick. Between two passes a CPU is sent one kick at most, and a wake
// kicks only a sleeper.
func (m *machine) noteKicks(v *virtual) {
	for _, e := range v.act.Events[v.noted:v.act.N] {
		if e.Kind != sched.EventKick {
			continue
		}
		m.checks.kick.reach++
		to := &m.cpus[e.To]
		to.kicksSincePass++
		if to.kicksSincePass > 1 {
			m.fail("one-kick", "CPU %d gets %d kicks before its next pass", e.To, to.kicksSincePass)
		}
		if asleep := to.mode == modeHalted; e.Reason == sched.KickWake && !asleep {
			m.fail("one-kick", "CPU %d is awake and gets a wake-up kick", e.To)
		}
	}
	v.noted = v.act.N
}
