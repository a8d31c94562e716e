package sim

import "hearth/sched"

// byCost is Hearth's scheduler that places by cost. The oracle, which ranks term by
// term, does not judge it.
type byCost struct{ *real }

func init() {
	own = append(own, PolicyInfo{"hearth-by-cost", "Hearth's scheduler, placing by cost instead of term by term", "docs/placement.md"})
	registerEngine("hearth-by-cost", func() engine {
		s := new(sched.Scheduler)
		s.SetPlacement(sched.ByCost, sched.DefaultCosts())
		return byCost{&real{Scheduler: s}}
	})
}
