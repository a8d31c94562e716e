package score

import "hearth/sched/sim"

// measure adds what the outcome of a run records.
func (c *Cell) measure(out *sim.Outcome) {
	c.Decisions += len(out.Spawns)
	c.Kicks += len(out.Kicks)
	for _, e := range out.Ended {
		c.waits = append(c.waits, e.Waited)
	}
}
