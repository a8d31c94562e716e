package sim

import "hearth/sched"

// maxKicks is how many kicks one decision may send: one CPU is told to look.
const maxKicks = 1

// checkKicks: bounded-decision. The placement or wake that v just made, since when its
// entry had so many events, told one CPU at most to look.
func (m *machine) checkKicks(v *virtual, since int32) {
	kicks := 0
	for i := since; i < v.act.N; i++ {
		if v.act.Events[i].Kind == sched.EventKick {
			kicks++
		}
	}
	m.checks.bounds.reach++
	m.out.Decisions++
	if kicks > maxKicks {
		m.fail("bounded-decision", "one decision of CPU %d sends %d kicks", v.id, kicks)
	}
}
