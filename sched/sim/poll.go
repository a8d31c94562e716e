package sim

import "time"

// lookGap bounds the time between two looks of a CPU that polls: a line that another
// CPU wrote, and the window in which interrupts are taken.
const lookGap = 200 * time.Nanosecond

// idle begins v's sleep: it polls if the scheduler says so, else it halts.
func (m *machine) idle(v *virtual) {
	v.mode = modeHalted
	if until, _ := m.s.Idling(v.id); until != 0 {
		v.mode, v.pollUntil = modePoll, until
		m.nextLook(v)
	}
}

func (m *machine) nextLook(v *virtual) {
	// Where nothing takes time a look does: others that can take a step come in between.
	v.until = m.now + max(m.chooser.between(lookGap/4, lookGap), lookGap/4)
}

// look is what v, which polls, does between two windows for interrupts.
func (m *machine) look(v *virtual) {
	answers := m.s.Polled(v.id)
	m.checkLook(v, answers)
	switch {
	case answers:
	case m.now < v.pollUntil:
		m.looks++
		m.nextLook(v)
		return
	case m.s.StopPolling(v.id, m.now):
		v.mode = modeHalted
		return
	}
	m.awaken(v)
	m.toPass(v)
}
