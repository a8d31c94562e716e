package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// dragonos is the key on a machine where a thread can be taken before its registers are
// saved.
type dragonos struct{ keyed }

func init() {
	sim.Register("dragonos", "the key, but threads are stolen and woken elsewhere before their registers are saved",
		"gh:DragonOS-Community/DragonOS#571", func() sim.Policy { return &dragonos{allTerms} })
}

// Idle takes from the fullest CPU, whatever that is doing.
func (*dragonos) Idle(m *sim.Model, c cpu.ID) *sim.Thread { return stealOutwards(m, c) }

// RunsUnsaved takes what is marked ready.
func (*dragonos) RunsUnsaved() {}
