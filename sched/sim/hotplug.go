package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/sched"
	"time"
)

// hotplug is what an engine has besides that takes CPUs off a running machine.
// Offline is a call of c itself, in an entry whose pass then finds nothing to run
// there; false if c is the last one.
type hotplug interface {
	Offline(c cpu.ID, now time.Duration, a *sched.Actions) bool
}

// offline has each CPU of a mask that is online leave, at its next kernel entry.
func (m *machine) offline(v *virtual, mask string) {
	if _, ok := m.s.(hotplug); !ok {
		m.err = fmt.Errorf("scenario: this policy takes no CPU offline")
		return
	}
	m.complain(m.each(mask, func(c cpu.ID) {
		to := &m.cpus[c]
		if to.mode == modeAbsent || to.leaving {
			return
		}
		to.leaving = true
		if to != v {
			m.sendKick(to)
		}
	}))
}

// leave takes v, which is in a kernel entry, off the machine if somebody asked.
func (m *machine) leave(v *virtual) {
	if v.leaving && !m.s.(hotplug).Offline(v.id, m.now, &v.act) {
		v.leaving = false // the last one stays
	}
}

// online brings each CPU of a mask that is not online back.
func (m *machine) online(mask string) {
	m.complain(m.each(mask, func(c cpu.ID) {
		v := &m.cpus[c]
		if v.mode != modeAbsent {
			return
		}
		v.leaving = false
		m.s.Online(c, m.now)
		m.toPass(v)
	}))
}

// complain ends the run with an error of the scenario.
func (m *machine) complain(err error) {
	if err != nil && m.err == nil {
		m.err = err
	}
}
