package sim

import (
	"hearth/process"
	"time"
)

const alarmLate = time.Microsecond

// checkAlarm: alarm-armed. The one-shot of a CPU that runs a program or sleeps fires
// no later than its first alarm is due and, if others of the class wait, within a
// slice.
func (m *machine) checkAlarm(v *virtual) {
	if v.mode != modeUser && v.mode != modeHalted && v.mode != modePoll {
		return
	}
	if due, id := m.s.Due(v.id); due >= 0 {
		m.checks.alarm.reach++
		if v.alarm < 0 || v.alarm > max(due, m.now)+alarmLate {
			m.fail("alarm-armed", "CPU %d fires at %v, %s is due at %v", v.id, v.alarm, m.on[id], due)
		}
	}
	if v.mode != modeUser || m.s.Queued(v.id, m.checks.buf[:1]) == 0 {
		return
	}
	class := func(id process.ContextID) process.Class { return m.s.Table().Context(id).Class() }
	first, current := class(m.checks.buf[0]), class(m.s.Current(v.id))
	if rank(first) == rank(current) && current != process.RealTime {
		m.checks.alarm.reach++
		if !m.slicing(v) {
			m.fail("alarm-armed", "CPU %d fires at %v although %s waits behind %s", v.id, v.alarm, m.on[m.checks.buf[0]], m.on[m.s.Current(v.id)])
		}
	}
}
