package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

func TestAMaskWithoutAnOnlineCPUChangesNothing(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	id := r.context(process.Fair)
	m := only(5, 700)
	p, ok := r.s.Spawn(0, r.now, &Request{Context: id, Process: image, Mask: &m}, &r.v, &r.a)
	var own cpu.Mask
	chosen := r.s.Table.Context(id).Mask(&own)
	if ok || chosen || r.s.Table.Context(id).State() != process.New || r.s.Total(Spawns) != 0 {
		t.Errorf("placed %v on %d, mask chosen %v, state %v", ok, p.CPU, chosen, r.s.Table.Context(id).State())
	}
}

func TestACPUThatIsNotOnlineIsNoCandidate(t *testing.T) {
	s := new(Scheduler)
	s.Init(shape(t, "L(3)"))
	s.Online(0, 0)
	s.Online(2, 0)
	r := &rig{t: t, s: s}
	r.enter(0)
	r.enter(2)
	r.start(0, process.Fair)
	r.wantPlaced(r.spawn(0), 2, TermAwake)
}

func TestACPUThatDoesNotAnswerIsNoCandidate(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.pin(0, process.Fair, cpu.None)
	r.s.ring(0, r.now, 1, always, KickPull, &r.a)
	r.now += patience - 1
	r.enter(0)
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Fair)}), 1, TermLoad)
	r.now++
	for range 2 {
		r.pin(0, process.Fair, cpu.None)
	}
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Fair)}), 0, TermNone)
}

func TestIfNoCPUAnswersAllAreCandidates(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	m := only(1, 2)
	r.s.ring(0, r.now, 1, always, KickPull, &r.a)
	r.s.ring(0, r.now, 2, always, KickPull, &r.a)
	r.now += time.Minute
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Fair), Mask: &m}), 1, TermDistance)
}

// Silence is right while a CPU sleeps or runs one thread alone: only the time since
// the kick that ended it counts.
func TestALongSleeperThatWasJustKickedAnswers(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	for range 3 {
		r.pin(0, process.Fair, cpu.None)
	}
	r.now += time.Hour
	r.enter(0)
	r.s.ring(0, r.now, 1, always, KickPull, &r.a)
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Fair)}), 1, TermLoad)
}

func TestAnIsolatedCPUMustBeNamed(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.s.SetIsolated(1)
	r.start(0, process.Fair)
	r.wantPlaced(r.spawn(0), 2, TermAwake)
	r.enter(2)
	for range 4 {
		if p := r.spawn(0); p.CPU == 1 {
			t.Fatal("a thread without a mask is on the isolated CPU")
		}
	}
	m := only(0, 1)
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Fair), Mask: &m}), 1, TermLoad)
}

func TestAServiceContextStaysOffIsolatedCPUs(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.s.SetIsolated(1)
	r.start(0, process.Fair)
	r.start(2, process.Fair)
	id := r.context(process.Service)
	m := only(0, 1)
	r.s.Table.Context(id).SetMask(&m)
	r.wantPlaced(r.place(0, Request{Process: image, Context: id}), 0, TermNone)
	id = r.context(process.Service)
	m = only(1)
	r.s.Table.Context(id).SetMask(&m)
	r.wantPlaced(r.place(0, Request{Process: image, Context: id}), 1, TermNone)
}

func TestAQueueOfBackgroundThreadsIsNoLoadButNoSleeperEither(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	for range 3 {
		r.pin(1, process.Background, 0)
	}
	r.pin(2, process.Background, 0)
	r.pin(0, process.Fair, 1)
	r.s.handles[2].idle.Store(uint32(Halted)) // the kick is not decided yet
	p := r.spawn(0)
	r.wantPlaced(p, 3, TermAwake)
	m := only(0, 1)
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Fair), Mask: &m}), 1, TermLoad)
	r.wantPlaced(r.place(0, Request{Process: image, Context: r.context(process.Background), Mask: &m}), 0, TermLoad)
}

// Two placers look at the same moment; only one of them gets the CPU.
func TestTwoPlacersNeverClaimTheSameFreeCPU(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	r.start(0, process.Fair)
	r.start(2, process.Fair)
	var one, two View
	m := only(1)
	first := Request{Process: image, Context: r.context(process.Fair), Mask: &m}
	second := Request{Process: image, Context: r.context(process.Fair), Mask: &m}
	r.s.Place(0, r.now, &first, &one)
	r.s.Place(2, r.now, &second, &two)
	if !r.s.tryClaim(&one.CPUs[0], bandFair) {
		t.Fatal("the first claim is lost to nobody")
	}
	if r.s.tryClaim(&two.CPUs[0], bandFair) {
		t.Error("both placers claimed CPU 1")
	}
}

func TestAClaimIsLostIfAnythingCameAndWent(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	m := only(1)
	r.s.Place(0, r.now, &Request{Process: image, Context: r.context(process.Fair), Mask: &m}, &r.v)
	seen := r.v.CPUs[0]
	r.start(1, process.Fair) // posted, drained, dispatched: the load is 0 as before
	if r.s.Look(1).Load != 0 || r.s.tryClaim(&seen, bandFair) {
		t.Error("a claim won although the CPU is not as it was seen")
	}
}

func TestAThreadInTransitHasAHomeAndCountsAsLoad(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	id := r.context(process.Fair)
	r.start(0, process.Fair)
	r.place(0, Request{Process: image, Near: true, Context: id})
	x := r.s.Table.Context(id)
	if x.State() != process.InTransit || x.Home() != 1 || r.s.Homes(image, 1) != 1 || r.s.Look(1).Load != 1 {
		t.Errorf("%v, home %d, homes of CPU 1 %d, face %+v", x.State(), x.Home(), r.s.Homes(image, 1), r.s.Look(1))
	}
	r.kicked(1)
}

// Each look of a spawn writes into its caller's view, which may hold another decision.
func TestTheClaimsOfASpawnAreCounted(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.v.Attempt = 5
	r.want("claims with a view", r.place(0, Request{Process: image, Context: r.context(process.Fair)}).Attempts, int32(1))
	r.want("looks lost in the view", r.v.Attempt, int32(0))
	var p Placement
	r.s.claimFound(0, r.now, &Request{Process: image, Context: r.context(process.Fair)}, &p)
	r.want("claims without a view", p.Attempts, int32(1))
	r.want("claims of a proposal", r.propose(0).Attempts, int32(0))
}

// Without a view, too, a CPU that does not answer is passed over while another does.
func TestASearchPassesOverCPUsThatDoNotAnswer(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	for c := range cpu.ID(4) {
		r.start(c, process.Fair)
	}
	for c := cpu.ID(2); c < 4; c++ {
		r.pin(c, process.Fair, 0)
	}
	silent := func(cpus ...cpu.ID) {
		for _, c := range cpus {
			r.s.handles[c].idle.Store(uint32(Kicked))
			r.s.handles[c].heard.Store(0)
		}
		r.now = patience
	}
	silent(0, 1)
	m := only(0, 1, 2, 3)
	r.proposes("those that answer have more load", 0, Request{Mask: &m}, 2, TermDistance, 1, 0)
	m = only(0, 1)
	r.proposes("none answers", 0, Request{Mask: &m}, 0, TermDistance, 1, 0)
}

func TestASearchPrefersItsOwnDomainOfManyGroups(t *testing.T) {
	r := newRig(t, shape(t, "L(70,70)"))
	r.start(69, process.Fair)
	r.s.locals[69].start = 80 // the rotation begins in the other domain
	r.proposes("its own domain", 69, Request{Near: true}, 0, TermDistance, 1, 0)
	for c := range cpu.ID(69) {
		r.start(c, process.Fair)
	}
	r.proposes("the other one", 69, Request{Near: true}, 80, TermDistance, 3, 0)
}

func TestAMachineOfAsManySpeedsAsSummariesTellApart(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	for c := range cpu.ID(4) {
		r.s.SetSlowness(c, uint16(c)*100)
	}
	r.start(0, process.Fair)
	for c := cpu.ID(1); c < 4; c++ {
		r.want("next by speed", r.propose(0).CPU, c)
		r.start(c, process.Fair)
	}
	r.want("if all are busy", r.propose(0).CPU, cpu.ID(0))
}
