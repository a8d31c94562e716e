package sched

import (
	"hearth/process"
	"testing"
)

func TestSettledMeansThatAPassWouldChangeNothing(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.want("a sleeping CPU is settled", r.s.Settled(0), false)
	a := r.start(0, process.Fair)
	r.want("a CPU that runs one thread alone is settled", r.s.Settled(0), true)
	next, _ := r.s.Pass(0, r.now, &r.a)
	r.want("its pass goes on with", next, a)
	r.want("and notes", r.a.N, int32(0))
}

func TestACPUWithSomethingToDoIsNotSettled(t *testing.T) {
	for _, c := range []struct {
		what string
		make func(r *rig)
	}{
		{"with something posted", func(r *rig) { r.pin(0, process.Fair, 1); r.s.handles[0].answer() }},
		{"with something queued", func(r *rig) { r.pin(0, process.Fair, 1); r.enter(0) }},
		{"with something taken and not queued", func(r *rig) { r.s.locals[0].arriving = 1 }},
		{"with a kick on its way", func(r *rig) { r.s.handles[0].idle.Store(uint32(Kicked)) }},
		{"that is asked for work", func(r *rig) { r.s.handles[0].pull.Store(pullWord(1, 0)) }},
		{"whose thread waits", func(r *rig) { r.s.Block(0, r.now, -1) }},
	} {
		r := newRig(t, shape(t, "L(1,1)"))
		r.start(1, process.Fair)
		r.start(0, process.Fair)
		r.want("at first the CPU is settled", r.s.Settled(0), true)
		c.make(r)
		r.want("a CPU "+c.what+" is settled", r.s.Settled(0), false)
	}
}
