package policies

import "hearth/sched/sim"

// dragonos is the key on a machine where a thread can be taken before its registers are
// saved.
type dragonos struct{ keyed }

func init() {
	sim.Register("dragonos", "the key, but threads are stolen and woken elsewhere before their registers are saved",
		"gh:DragonOS-Community/DragonOS#571", func() sim.Policy { return &dragonos{allTerms} })
}

// RunsUnsaved takes what is marked ready.
func (*dragonos) RunsUnsaved() {}
