package sim

import "hearth/sched"

// expiriesAnEntry bounds the waits that one entry ends, as in the kernel.
const expiriesAnEntry = 3

// checkSteps: bounded-steps. The scheduler's call that v just made visited a bounded
// number of threads, however many there are.
func (m *machine) checkSteps(v *virtual, call string) {
	steps := m.s.Steps(v.id)
	visited := steps - v.steps
	v.steps = steps
	if visited > sched.MaxSteps {
		m.fail("bounded-steps", "%s on CPU %d visited %d of %d threads", call, v.id, visited, len(m.threads))
	}
	m.checks.steps.reach += int(visited)
	m.out.Longest = max(m.out.Longest, int(visited))
}
