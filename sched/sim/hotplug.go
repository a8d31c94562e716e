package sim

import (
	"hearth/cpu"
	"hearth/sched"
	"time"
)

// hotplug is what an engine has besides that takes CPUs off a running machine and
// brings them back. Both are calls of c about the CPU which; a CPU that is offline
// goes on answering kicks and alarms. SetOffline is false if which is the last one.
type hotplug interface {
	SetOffline(c cpu.ID, now time.Duration, which cpu.ID, a *sched.Actions) bool
	SetOnline(c cpu.ID, now time.Duration, which cpu.ID, a *sched.Actions) bool
}

// takeOffline takes each CPU of a mask off the machine, but for the last one.
func (m *machine) takeOffline(v *virtual, mask string) {
	s, ok := m.s.(hotplug)
	if !ok {
		m.cannot("offline: policy %s takes no CPU offline", m.o.Engine)
		return
	}
	m.everOffline = true
	m.complain(m.each(mask, func(c cpu.ID) {
		m.checks.affinity.asked++
		s.SetOffline(v.id, m.now, c, &v.act)
		m.carryOut(v) // each is a call of its own
		m.touch(c)
	}))
	m.countOnline()
	m.touchAll()
}

// bringOnline brings each CPU of a mask back, or starts it if it was absent.
func (m *machine) bringOnline(v *virtual, mask string) {
	m.complain(m.each(mask, func(c cpu.ID) {
		to := &m.cpus[c]
		if to.mode == modeAbsent {
			m.s.Online(c, m.now)
			m.toPass(to)
			m.schedule(to)
		} else if s, ok := m.s.(hotplug); ok {
			s.SetOnline(v.id, m.now, c, &v.act)
			m.carryOut(v)
		}
	}))
	m.countOnline()
	m.touchAll()
}

// complain ends the run with an error of the scenario.
func (m *machine) complain(err error) {
	if err != nil && m.err == nil {
		m.err = err
	}
}
