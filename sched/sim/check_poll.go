package sim

import "hearth/sched"

// sleeps reports whether a CPU in that state has nothing to run and nobody has kicked
// it yet: it halts or polls.
func sleeps(idle sched.Idle) bool { return idle == sched.Halted || idle == sched.Polling }

// checkPoller: poll-answered. A CPU that polls needs no kick for what is posted to it.
func (m *machine) checkPoller(to *virtual, reason sched.Reason) {
	if to.mode == modePoll && reason != sched.KickOnline {
		m.fail("poll-answered", "CPU %d polls and gets a kick", to.id)
	}
}

// checkLook: poll-answered. A CPU that polls goes on with a pass as soon as it looks at
// something that was posted to it.
func (m *machine) checkLook(v *virtual, answers bool) {
	if m.s.Look(v.id).Mail {
		m.checks.poll.reach++
		if !answers {
			m.fail("poll-answered", "CPU %d polls on although something is posted to it", v.id)
		}
	}
}
