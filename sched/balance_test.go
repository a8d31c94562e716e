package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// crowd makes n threads that may run anywhere wait behind another one on c while
// all other CPUs sleep; c has made no pass yet.
func (r *rig) crowd(c cpu.ID, n int) []process.ContextID {
	r.t.Helper()
	r.start(c, process.Fair)
	var ids []process.ContextID
	for range n {
		id := r.pin(c, process.Fair, cpu.None)
		r.release(id)
		ids = append(ids, id)
	}
	r.a.Reset()
	return ids
}

// event returns the first event of a kind.
func (r *rig) event(kind EventKind) Event {
	r.t.Helper()
	for _, e := range r.a.Events[:r.a.N] {
		if e.Kind == kind {
			return e
		}
	}
	r.t.Fatalf("no event of kind %d in %+v", kind, r.a.Events[:r.a.N])
	return Event{}
}

func (r *rig) home(id process.ContextID) cpu.ID { return r.s.Table.Context(id).Home() }

func TestSurplusIsPushedToASleeperOneAPass(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	ids := r.crowd(0, 3)
	_, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("the first one's home", r.home(ids[0]), cpu.ID(1))
	r.want("the second one's home", r.home(ids[1]), cpu.ID(0))
	r.want("the time of the next push", alarm, r.now+pushGap)
	r.kicked(1)
	r.s.Pass(0, r.now, &r.a)
	_, alarm = r.s.Pass(0, r.now, &r.a)
	r.want("the third one's home", r.home(ids[2]), cpu.ID(3))
	r.want("the alarm when nothing is left", alarm, time.Duration(-1))
	r.kicked(2, 3)
	r.want("what CPU 1 runs", r.enter(1), ids[0])
	r.want("migrations", r.s.Counter(0, Migrations), uint64(3))
}

func TestAPushPrefersAFreeCoreThenItsOwnLLC(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)s2"))
	ids := r.crowd(1, 3)
	for range 3 {
		r.s.Pass(1, r.now, &r.a)
	}
	for i, want := range []cpu.ID{4, 2, 3} {
		r.want("a home", r.home(ids[i]), want)
	}
}

func TestAPushObeysTheMask(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	ids := r.crowd(0, 2)
	m := only(0, 3)
	r.s.Table.Context(ids[0]).SetMask(&m)
	m = only(0)
	r.s.Table.Context(ids[1]).SetMask(&m)
	r.s.Pass(0, r.now, &r.a)
	r.s.Pass(0, r.now, &r.a)
	r.want("the home of the one that may leave for CPU 3", r.home(ids[0]), cpu.ID(3))
	r.want("the home of the pinned one", r.home(ids[1]), cpu.ID(0))
}

func TestAServiceContextIsNotPushedToAnIsolatedCPU(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.s.SetIsolated(1)
	r.start(0, process.Fair)
	id := r.context(process.Service)
	r.place(0, Request{Process: image, Context: id})
	r.enter(0)
	r.enter(0)
	r.want("its home", r.home(id), cpu.ID(0))
	r.kicked()
}

func TestARunningContextIsNeverPushed(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	id := r.start(0, process.Fair)
	r.now += 10 * Slice
	r.want("what runs", r.enter(0), id)
	r.want("migrations", r.s.Total(Migrations), uint64(0))
}

func TestAnIdleCPUAsksTheFullestCPUOfItsLLC(t *testing.T) {
	r := newRig(t, shape(t, "L(3,1)"))
	for c := range cpu.ID(4) {
		r.start(c, process.Fair)
	}
	for c, n := range []int{1, 2, 0, 3} {
		for range n {
			r.release(r.pin(cpu.ID(c), process.Fair, cpu.None))
		}
		r.enter(cpu.ID(c))
	}
	r.a.Reset()
	r.park(2)
	r.want("who asks CPU 1", r.s.Look(1).Pull, cpu.ID(2))
	r.kicked(1)
	r.enter(1)
	r.want("why it moved", r.event(EventMigrate).Reason, MovePull)
	r.kicked(2)
	r.want("surplus left on CPU 1", r.s.Look(1).Surplus, uint32(1))
	if r.enter(2) == 0 {
		t.Error("CPU 2 got nothing")
	}
	r.want("requests", r.s.Look(1).Pull, cpu.None)
}

func TestAnIdleCPUAsksOtherLLCsIfItsOwnHasNothing(t *testing.T) {
	r := newRig(t, shape(t, "L(2,1)"))
	for c := range cpu.ID(3) {
		r.start(c, process.Fair)
	}
	r.release(r.pin(2, process.Fair, cpu.None))
	r.enter(2)
	r.a.Reset()
	r.park(0)
	r.want("who asks CPU 2", r.s.Look(2).Pull, cpu.ID(0))
	r.kicked(2)
}

func TestARequestThatCannotBeServedIsPassedOn(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.passesOn()
	r.kicked(0)
	if r.enter(0) == 0 {
		t.Error("CPU 0 got nothing")
	}
}

func TestThatOfACPUThatPollsIsPassedOnLikewise(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.s.SetPollBudget(Slice)
	r.passesOn()
	r.kicked()
	r.want("whether CPU 0 polls", r.s.Look(0).Idle, Polling)
	r.want("whether it has to stop", r.s.Polled(0), true)
}

// passesOn makes CPU 0 go idle and ask CPU 1, which has nothing for it and asks CPU 3.
func (r *rig) passesOn() {
	for c := range cpu.ID(4) {
		r.start(c, process.Fair)
	}
	for range 2 {
		id := r.pin(1, process.Fair, cpu.None)
		m := only(1, 3)
		r.s.Table.Context(id).SetMask(&m)
	}
	r.release(r.pin(3, process.Fair, cpu.None))
	r.enter(1)
	r.enter(3)
	r.a.Reset()
	r.park(0)
	r.kicked(1)
	r.enter(1)
	r.kicked(3)
	r.enter(3)
}

// Who asks beside a busy sibling sees its thread go to a free core, and asks on.
func TestARequestWhoseThreadWentElsewhereIsPassedOn(t *testing.T) {
	r := newRig(t, shape(t, "L(4)s2")) // CPU 4 is on the core of CPU 0
	for c := range cpu.ID(8) {
		r.start(c, process.Fair)
	}
	for _, c := range []cpu.ID{1, 2} {
		r.release(r.pin(c, process.Fair, cpu.None))
		r.enter(c)
	}
	r.park(4)
	asked, other := cpu.ID(1), cpu.ID(2)
	if r.s.Look(2).Pull == 4 {
		asked, other = other, asked
	}
	r.want("who asks", r.s.Look(asked).Pull, cpu.ID(4))
	r.dozes(3)
	r.dozes(7)
	r.a.Reset()
	r.enter(asked)
	r.want("what waits at the one that was asked", r.s.Queued(asked, nil)+r.s.Posted(4, nil), 0)
	r.want("who asks the other one", r.s.Look(other).Pull, cpu.ID(4))
}

// The round goes on behind the CPU that passes a request on, not at the lowest one of
// its group: else those in between are left out.
func TestARequestIsPassedOnRoundTheMachine(t *testing.T) {
	r := newRig(t, shape(t, "L(8)"))
	for c := range cpu.ID(8) {
		r.start(c, process.Fair)
	}
	for _, c := range []cpu.ID{4, 5, 5} { // what waits there may not run on CPU 0
		m := only(c, 1)
		r.s.Table.Context(r.pin(c, process.Fair, cpu.None)).SetMask(&m)
	}
	r.release(r.pin(6, process.Fair, cpu.None))
	for c := cpu.ID(4); c <= 6; c++ {
		r.enter(c)
	}
	r.park(0)
	r.want("who asks the fullest", r.s.Look(5).Pull, cpu.ID(0))
	r.enter(5)
	r.want("who asks the next one", r.s.Look(6).Pull, cpu.ID(0))
	r.want("who asks the last one", r.s.Look(4).Pull, cpu.None)
}

func TestNobodyIsAskedTwiceAtOnce(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	for c := range cpu.ID(3) {
		r.start(c, process.Fair)
	}
	for range 2 {
		r.release(r.pin(2, process.Fair, cpu.None))
	}
	r.enter(2)
	r.a.Reset()
	r.park(0)
	r.kicked(2)
	r.park(1)
	r.kicked()
	if r.s.request(1, r.now, 2, 1, 2, &r.a) {
		t.Error("CPU 1 saw no request and asked too")
	}
	r.want("who asks", r.s.Look(2).Pull, cpu.ID(0))
	r.enter(2)
	r.enter(2)
	r.kicked(0, 1)
}

func TestACPUThatFoundWorkMeanwhileGetsNothing(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	id := r.pin(1, process.Fair, cpu.None)
	r.release(id)
	r.enter(1)
	r.park(0)
	r.start(0, process.Fair)
	r.enter(1)
	r.want("the home", r.home(id), cpu.ID(1))
}

// The CPU that goes idle publishes that before it looks for surplus, and the other
// publishes its surplus before it looks for sleepers.
func TestSurplusIsPublishedBeforeSleepersAreSought(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(1, process.Fair)
	r.crowd(0, 1)
	r.enter(0)
	r.want("surplus of CPU 0", r.s.Look(0).Surplus, uint32(1))
	r.a.Reset()
	r.park(1)
	r.kicked(0)
}

// dozes makes c a sleeper that has not asked for work.
func (r *rig) dozes(c cpu.ID) {
	r.s.fallAsleep(c, 0)
	r.s.handles[c].idle.Store(uint32(Halted))
}

// What waits here is not offered round again at each entry: a CPU that goes to sleep
// asks for it.
func TestSleepersAreSoughtOnceForTheSameQueue(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	for c := range cpu.ID(3) {
		r.start(c, process.Fair)
	}
	first := r.pin(0, process.Fair, cpu.None)
	r.release(first)
	r.enter(0)
	r.dozes(1)
	r.enter(0)
	r.want("the home of what waits", r.home(first), cpu.ID(0))
	second := r.pin(0, process.Fair, cpu.None)
	r.release(second)
	r.enter(0)
	r.want("its home after another one came", r.home(first), cpu.ID(1))
	r.enter(0)
	r.dozes(2)
	r.enter(0)
	r.want("the home of the other one", r.home(second), cpu.ID(0))
	r.s.handles[0].pull.Store(pullWord(1, 0)) // asks, but has found work
	r.enter(0)
	r.want("its home after a request", r.home(second), cpu.ID(2))
}
