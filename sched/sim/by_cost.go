package sim

import "hearth/sched"

// byCost is Hearth's scheduler that places by cost. The oracle, which ranks term by
// term, does not judge it.
type byCost struct{ *real }

func init() {
	registerEngine("hearth-by-cost", func() engine {
		s := new(sched.Scheduler)
		s.SetPlacement(sched.ByCost, sched.DefaultCosts())
		return byCost{&real{Scheduler: s}}
	})
}
