package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// haltUnchecked halts without a last look at its queue.
type haltUnchecked struct{ keyed }

// unsaved steals a thread before its registers are saved.
type unsaved struct{ keyed }

func init() {
	all := keyed{capacity: true, siblings: true, far: true, homes: byCore}
	sim.Register("halt-unchecked", "the key, but a CPU halts without a last look",
		"gh:Freax13/mushroom#97, gh:hermit-os/kernel#2719", func() sim.Policy { return &haltUnchecked{all} })
	sim.Register("dragonos", "the key, but threads are stolen and woken elsewhere before their registers are saved",
		"gh:DragonOS-Community/DragonOS#571", func() sim.Policy { return &unsaved{all} })
}

// Halt does not look.
func (*haltUnchecked) Halt(*sim.Model, cpu.ID) bool { return true }

// RunsUnsaved takes what is marked ready.
func (*unsaved) RunsUnsaved() {}
