package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// haltUnchecked is the key on a machine whose CPUs halt without a last look at their
// queues.
type haltUnchecked struct{ keyed }

func init() {
	sim.Register("halt-unchecked", "the key, but a CPU halts without a last look",
		"gh:Freax13/mushroom#97, gh:hermit-os/kernel#2719", func() sim.Policy { return &haltUnchecked{allTerms} })
}

// Halt does not look.
func (*haltUnchecked) Halt(*sim.Model, cpu.ID) bool { return true }
