package score

import "hearth/sched/sim"

// measure adds what the outcome of a run records.
func (c *Cell) measure(sc *sim.Scenario, out *sim.Outcome) {
	c.Decisions += len(out.Spawns) + out.Wakes
	c.Kicks += len(out.Kicks)
	c.Lines += out.Reads
	c.Unserved += out.Violations["work-conserved"]
	c.Stacked += out.Violations["free-core-first"]
	c.Judged += out.Reach[sim.OwnRule]
	c.Unlike += out.Violations[sim.OwnRule]
	c.GapSum += out.GapSum
	c.Gaps += out.Gaps
	c.SplitPairs += split(sc, out)
	for _, w := range out.Waits {
		c.waits = append(c.waits, w.For)
	}
}

// split counts the threads that were placed outside their spawner's LLC domain.
func split(sc *sim.Scenario, out *sim.Outcome) (n int) {
	if sc.Topology == nil {
		return 0
	}
	for _, s := range out.Spawns {
		if sc.Topology.At[s.CPU].LLC != sc.Topology.At[s.Spawner].LLC {
			n++
		}
	}
	return n
}
