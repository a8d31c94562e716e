package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
)

// Each test lets one term decide between CPUs that are equal in all terms before.

func (r *rig) wantPlaced(p Placement, c cpu.ID, term int32) {
	r.t.Helper()
	if p.CPU != c || p.Term != term {
		r.t.Errorf("placed on CPU %d by term %d with key %v, want %d by term %d", p.CPU, p.Term, p.Key, c, term)
	}
}

func TestLoadInTransitCounts(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	for c := range cpu.ID(3) {
		r.start(c, process.Fair)
	}
	r.pin(1, process.Fair, 0)
	r.s.locals[0].start = 1
	r.wantPlaced(r.spawn(0), 2, TermDistance)
}

func TestLoadComesFirst(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	for c := range cpu.ID(4) {
		r.start(c, process.Fair)
	}
	r.pin(0, process.Fair, 2)
	r.pin(1, process.Fair, 2)
	r.pin(2, process.Fair, 0)
	r.wantPlaced(r.spawn(0), 3, TermLoad)
}

func TestASleeperComesBeforeABusyCPUOfEqualLoad(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Fair)}), 1, TermAwake)
}

func TestACPUWithAKickComingIsNoSleeper(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.start(0, process.Fair)
	r.s.ring(0, r.now, 1, always, KickPull, &r.a)
	r.wantPlaced(r.spawn(0), 2, TermAwake)
}

func TestAPollingCPUIsASleeper(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.s.handles[2].idle.Store(uint32(Polling))
	r.wantPlaced(r.spawn(0), 2, TermAwake)
	r.kicked()
}

func TestAFasterCPUComesFirst(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.start(0, process.Fair)
	r.s.SetSlowness(1, 10)
	r.wantPlaced(r.spawn(0), 2, TermCapacity)
}

func TestASlowCoreComesBeforeHalfOfAFastOne(t *testing.T) {
	r := newRig(t, shape(t, "L(2)s2"))
	r.start(0, process.Fair)
	r.s.SetSlowness(1, 10)
	r.s.SetSlowness(3, 10)
	m := only(1, 2)
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Fair), Mask: &m}), 1, TermSiblings)
}

func TestBackgroundWorkGivesWay(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.start(2, process.Background)
	p := r.spawn(0)
	r.wantPlaced(p, 2, TermAwake)
	r.want("its term", p.Key[TermAwake], uint32(1))
	r.kicked(2)
	r.enter(2)
	r.s.locals[0].start = 1
	r.wantPlaced(r.spawn(0), 1, TermDistance)
	r = newRig(t, shape(t, "L(3)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.start(2, process.Background)
	p = r.place(0, Request{Process: image, Context: r.context(process.Background)})
	r.want("where a background thread goes", p.CPU, cpu.ID(0))
}

func TestACPUWithMoreThanBackgroundWorkIsNotPreemptible(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.start(1, process.Background)
	r.pin(1, process.Fair, 0)
	r.s.handles[1].idle.Store(uint32(Busy)) // the kick is not decided yet
	var raw Raw
	r.s.read(1, r.now, false, &raw)
	r.want("the flag", raw.Flags&RawPreemptible, uint8(0))
}

func TestASharedCoreComesAfterASplitPair(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)s2"))
	r.start(0, process.Fair)
	m := only(1, 2)
	r.wantPlaced(r.place(0, Request{Process: image, Near: true, Context: r.context(process.Fair), Mask: &m}), 1, TermSiblings)
}

func TestASiblingWithAThreadInTransitIsBusy(t *testing.T) {
	r := newRig(t, shape(t, "L(3)s2"))
	r.start(0, process.Fair)
	r.pin(4, process.Fair, 0)
	m := only(1, 2)
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Fair), Mask: &m}), 2, TermSiblings)
}

func TestASiblingOutsideTheMaskCounts(t *testing.T) {
	r := newRig(t, shape(t, "L(3)s2"))
	r.start(4, process.Fair)
	m := only(1, 2)
	p := r.place(0, Request{Process: image, Context: r.context(process.Fair), Mask: &m})
	r.wantPlaced(p, 2, TermSiblings)
}

func TestACoreWithoutHomesComesBeforeASiblingsHome(t *testing.T) {
	r := newRig(t, shape(t, "L(3)s2"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.park(1)
	r.s.locals[0].start = 4 // the sibling of the home is first in the rotation
	r.wantPlaced(r.spawn(0), 5, TermDistance)
	if p := r.spawn(0); p.CPU != 4 || p.Key[TermHome] != 1 {
		t.Errorf("then CPU %d with key %v, want the home's sibling, 4", p.CPU, p.Key)
	}
}

func TestASiblingsHomeComesBeforeTheHomeItself(t *testing.T) {
	r := newRig(t, shape(t, "L(2)s2"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.park(1)
	r.wantPlaced(r.spawn(0), 3, TermHome)
}

func TestHomesOfAnotherProcessDoNotCount(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.park(1)
	id := r.s.Table.NewContext(2, process.Service)
	r.s.Table.Occupy(r.s.Table.NewThread(2, process.Fair, &[16]byte{}, false), id)
	r.wantPlaced(r.place(0, Request{Process: 2, Context: id, Near: true}), 1, TermDistance)
}

func TestServiceContextsAreNoHomes(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.start(0, process.Fair)
	r.start(1, process.Service)
	r.park(1)
	r.wantPlaced(r.spawn(0), 1, TermDistance)
}

func TestAParkedCarrierIsNoHome(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.start(0, process.Fair)
	id := r.start(1, process.Fair)
	r.s.Vacate(1)
	if n := r.s.Homes(image, 1); n != 0 {
		t.Errorf("before the exit is published CPU 1 is home to %d", n)
	}
	r.s.Table.Exit(r.s.Table.Context(id).Thread(), 0)
	r.park(1)
	r.wantPlaced(r.spawn(0), 1, TermDistance)
}

func TestAStrangerIsNotDrawnToItsSpawner(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	r.start(3, process.Fair)
	r.wantPlaced(r.place(3, Request{Process: image, Context: r.context(process.Fair)}), 0, TermDistance)
}

func TestOfEqualsTheShallowestSleeperIsWoken(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.start(0, process.Fair)
	for c, ns := range []int{0, 400_000, 800, 400_000} {
		r.s.handles[c].latency.Store(uint32(ns))
	}
	r.wantPlaced(r.spawn(0), 2, TermLatency)
}

func TestTheRotationGoesOnFromTheLastChoiceOfThisCPU(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.start(0, process.Service)
	for _, want := range []cpu.ID{1, 2, 3} {
		p := r.spawn(0)
		if p.CPU != want {
			t.Errorf("placed on CPU %d from start %d, want %d", p.CPU, p.Start, want)
		}
		r.enter(p.CPU)
		r.s.Vacate(p.CPU)
		r.park(p.CPU)
	}
	if p := r.spawn(1); p.Start != 0 {
		t.Errorf("another spawner begins at %d, want its own start, 0", p.Start)
	}
}

func TestAnExplanationNamesTheExactRunnerUp(t *testing.T) {
	r := newRig(t, crossed())
	r.start(1, process.Fair)
	r.spawn(1)
	var e Ranking
	if !r.s.Explain(&r.v, &e) || e.CPU != 3 || e.RunnerUp != 7 || e.Term != TermDistance {
		t.Errorf("explained as %+v, want CPU 3 before 7 by distance", e)
	}
	m := only(6)
	p := r.place(1, Request{Process: image, Context: r.context(process.Fair), Mask: &m})
	r.wantPlaced(p, 6, TermNone)
}

func TestAViewWithoutACandidateExplainsNothing(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.v.N = 2
	r.v.CPUs[1].CPU = 1
	var e Ranking
	if r.s.Explain(&r.v, &e) || e.CPU != cpu.None || e.RunnerUp != cpu.None || e.Term != TermNone {
		t.Errorf("explained as %+v", e)
	}
}
