package policies

import (
	"hearth/cpu"
	"hearth/sched/sim"
)

// scxDefault is what sched_ext does if a scheduler says nothing: an idle CPU, whole
// cores and near ones first, else one queue for the machine. Which CPUs are idle is one
// mask, which all of them write.
type scxDefault struct {
	sim.Base
	idle sim.Line
}

func init() {
	sim.Register("scx-default", "an idle core or CPU by one mask of the machine, near ones first, else one queue that all CPUs share",
		"kernel.org, Documentation/scheduler/sched-ext.rst; gh:sched-ext/scx#998", func() sim.Policy { return &scxDefault{} })
}

// Start makes the one queue.
func (*scxDefault) Start(m *sim.Model) { m.Share(nil) }

// Place searches from the spawner.
func (p *scxDefault) Place(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return p.selectIdle(m, t, from)
}

// Wake searches from where t ran.
func (p *scxDefault) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	return p.selectIdle(m, t, t.Last)
}

// selectIdle takes a CPU out of the mask.
func (p *scxDefault) selectIdle(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID {
	m.Touch(&p.idle)
	return firstOf(m, t, from, itsCore, coreNear, coreAnywhere, itself, cpuNear, cpuAnywhere)
}

// Halt puts c into the mask.
func (p *scxDefault) Halt(m *sim.Model, c cpu.ID) bool {
	m.Touch(&p.idle)
	return len(m.Waiting(c)) == 0 && m.StealShared(c, c) == nil
}
