package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// scxDefault is what sched_ext does if a scheduler says nothing: an idle CPU, whole
// cores and near ones first, else one queue for the machine.
type scxDefault struct{ sim.Base }

func init() {
	sim.Register("scx-default", "an idle core or CPU, near ones first, else one queue that all CPUs share",
		"kernel.org, Documentation/scheduler/sched-ext.rst", func() sim.Policy { return scxDefault{} })
}

// Start makes the one queue.
func (scxDefault) Start(m *sim.Model) { m.Share(nil) }

// Place searches from the spawner.
func (scxDefault) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return selectIdle(m, t, from)
}

// Wake searches from where t ran.
func (scxDefault) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return selectIdle(m, t, t.Last)
}

func selectIdle(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return firstOf(m, t, from, itsCore, coreNear, coreAnywhere, itself, cpuNear, cpuAnywhere)
}
