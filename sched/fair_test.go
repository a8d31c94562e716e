package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// weigh makes a thread of a weight wait on c, sent from CPU 1.
func (r *rig) weigh(c cpu.ID, class process.Class, weight uint32) process.ContextID {
	r.t.Helper()
	id := r.s.Table.NewContext(image, process.Service)
	th := r.s.Table.NewThread(image, class, &[16]byte{}, false)
	r.s.Table.SetWeight(th, weight)
	r.s.Table.Occupy(th, id)
	m := only(c)
	r.place(1, Request{Context: id, Process: image, Mask: &m})
	return id
}

// serve lets c run for d, with a pass at each alarm, and returns how long each
// context ran.
func (r *rig) serve(c cpu.ID, d time.Duration) map[process.ContextID]time.Duration {
	r.t.Helper()
	ran := map[process.ContextID]time.Duration{}
	for end := r.now + d; ; {
		next, alarm := r.s.Pass(c, r.now, &r.a)
		if rule := r.s.Broken(c) + r.s.BrokenPass(c, r.now, alarm); rule != "" {
			r.t.Fatal(rule)
		}
		until := end
		if alarm >= 0 {
			until = min(end, alarm)
		}
		ran[next] += until - r.now
		if r.now = until; r.now == end {
			return ran
		}
		r.a.Reset()
	}
}

func (r *rig) within(what string, got, low, high time.Duration) {
	r.t.Helper()
	if got < low || got > high {
		r.t.Errorf("%s is %v, want %v to %v", what, got, low, high)
	}
}

// busy is a machine whose CPU 1 runs for ever and whose CPU 0 is awake.
func busy(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(1, process.Fair)
	r.s.LeaveIdle(0, r.now)
	return r
}

func TestServiceIsInProportionToWeight(t *testing.T) {
	for _, class := range []process.Class{process.Fair, process.Background} {
		r := busy(t)
		weights := []uint32{process.MaxWeight, 1000, 300, 100, 1}
		var ids []process.ContextID
		sum := uint32(0)
		for _, w := range weights {
			ids = append(ids, r.weigh(0, class, w))
			sum += w
		}
		const long = 100 * time.Second
		ran := r.serve(0, long)
		for i, id := range ids {
			want := long * time.Duration(weights[i]) / time.Duration(sum)
			r.within("service of a thread", ran[id], want-3*Slice, want+3*Slice)
		}
	}
}

// A heavy thread has its turns one after the other, without giving up the CPU.
func TestATurnFollowsATurnOfTheSameThread(t *testing.T) {
	r := busy(t)
	r.weigh(0, process.Fair, 10)
	heavy := r.weigh(0, process.Fair, 1000)
	r.serve(0, 2*Slice)
	before := r.s.Counter(0, Preemptions)
	ran := r.serve(0, 100*Slice)
	r.within("service of the heavy thread", ran[heavy], 98*Slice, 100*Slice)
	if n := r.s.Counter(0, Preemptions) - before; n > 4 {
		t.Errorf("%d preemptions, of a hundred turns some two go to the other", n)
	}
}

// sleeper makes a thread that slept while CPU 0 ran another one for so long; that one
// runs, and a third that may run on CPU 0 alone waits.
func (r *rig) sleeper(class process.Class, slept time.Duration) (sleeper process.ContextID) {
	r.t.Helper()
	sleeper = r.start(0, class)
	r.park(0)
	r.weigh(0, class, process.DefaultWeight)
	r.weigh(0, class, process.DefaultWeight)
	r.serve(0, slept)
	return sleeper
}

func TestALongSleeperClaimsABoundedService(t *testing.T) {
	for _, class := range []process.Class{process.Fair, process.Background} {
		r := busy(t)
		id := r.sleeper(class, time.Second)
		r.s.Wake(1, r.now, id, &r.a)
		const long = 60 * Slice
		ran := r.serve(0, long)
		r.within("service of the sleeper", ran[id], long/3, long/3+claimBound+2*Slice)
	}
}

func TestALongSleeperPreemptsAtOnce(t *testing.T) {
	r := busy(t)
	id := r.sleeper(process.Fair, time.Second)
	hog := r.s.Current(0)
	r.now += 100 * time.Microsecond
	r.s.Wake(1, r.now, id, &r.a)
	r.want("what runs", r.enter(0), id)
	r.now += 100 * time.Microsecond
	r.s.Block(0, r.now, -1)
	r.enter(0)
	r.now += 100 * time.Microsecond
	r.s.Wake(1, r.now, id, &r.a)
	r.want("what runs when it has woken again, with most of its claim", r.enter(0), id)
	r.want("the preempted one runs no more", r.s.Current(0) == hog, false)
}

func TestAThreadThatIsNotDueWaitsForTheSliceToEnd(t *testing.T) {
	r := busy(t)
	id := r.start(0, process.Fair)
	r.now += granularity
	r.park(0)
	other := r.start(0, process.Fair)
	r.now += granularity
	r.s.Wake(1, r.now, id, &r.a)
	r.want("after as much service", r.enter(0), other)
	_, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("the alarm", alarm, r.now-granularity+Slice)
}

// What a thread ran while it kept the kernel out is charged, but does not exclude it
// for long once it slept.
func TestAThreadOwesABoundedService(t *testing.T) {
	r := busy(t)
	id, other := r.weigh(0, process.Fair, 100), r.weigh(0, process.Fair, 100)
	r.enter(0)
	r.now += time.Second
	r.s.Block(0, r.now, -1)
	r.enter(0)
	r.s.Wake(1, r.now, id, &r.a)
	ran := r.serve(0, 10*Slice)
	r.within("service of the one that owes", ran[id], 4*Slice, 5*Slice)
	r.within("service of the other", ran[other], 5*Slice, 6*Slice)
}

func TestTimeAloneIsOwedToNobody(t *testing.T) {
	r := busy(t)
	id := r.weigh(0, process.Fair, 100)
	r.serve(0, time.Second)
	other := r.weigh(0, process.Fair, 100)
	ran := r.serve(0, 10*Slice)
	r.within("service of the one that was alone", ran[id], 4*Slice, 5*Slice)
	r.within("service of the newcomer", ran[other], 5*Slice, 6*Slice)
}

// However many newcomers there are, each of which is gone before its slice ends, who
// waited before them runs.
func TestNewcomersDoNotHoldTheClock(t *testing.T) {
	r := busy(t)
	old := r.weigh(0, process.Fair, 100)
	r.enter(0)
	r.weigh(0, process.Fair, 100)
	r.now += Slice
	r.enter(0)
	for n := 0; r.s.Current(0) != old; n++ {
		if n == 100 {
			t.Fatal("the thread that waited before never runs")
		}
		r.weigh(0, process.Fair, 100)
		r.now += 100 * time.Microsecond
		r.park(0)
	}
}

// The clocks of two CPUs have nothing to do with each other: what a thread is owed
// there, not when, is what it has here.
func TestAMigrantTakesWhatItIsOwedAlong(t *testing.T) {
	r := newRig(t, shape(t, "L(1)x3"))
	r.start(1, process.Fair)
	for _, c := range []cpu.ID{2, 0} {
		r.s.LeaveIdle(c, r.now)
		r.weigh(c, process.Fair, 100)
		r.weigh(c, process.Fair, 100)
		r.serve(c, time.Second*time.Duration(c+1))
	}
	for _, from := range []cpu.ID{0, 2} {
		to := 2 - from
		id := r.weigh(from, process.Fair, 100)
		r.s.Pass(from, r.now, &r.a)
		lag := virtual(time.Millisecond, 200)
		r.s.nodes[id].links[byTurn].key = r.s.locals[from].clocks[bandFair] + lag
		m := only(to)
		r.s.SetMask(1, r.now, id, &m, &r.a)
		r.s.Pass(from, r.now, &r.a)
		clock := r.s.locals[to].clocks[bandFair]
		r.s.Pass(to, r.now, &r.a)
		r.want("what it owes on the other CPU", r.s.nodes[id].links[byTurn].key-clock, lag)
	}
}

func TestAYieldGivesUpASliceAtMost(t *testing.T) {
	r := busy(t)
	light := r.weigh(0, process.Fair, 1)
	r.serve(0, Slice)
	other := r.weigh(0, process.Fair, 100)
	id := r.weigh(0, process.Fair, 100)
	for r.enter(0) != id {
		r.now += Slice
	}
	r.s.Yield(0, r.now)
	ran := r.serve(0, 20*Slice)
	r.within("service of the light one", ran[light], 0, Slice)
	r.within("service of the other", ran[other], 10*Slice, 12*Slice)
	r.within("service of the one that yielded once", ran[id], 9*Slice, 10*Slice)
}

func TestABlockTakenBackIsChargedOnce(t *testing.T) {
	r := busy(t)
	id, other := r.weigh(0, process.Fair, 100), r.weigh(0, process.Fair, 100)
	r.enter(0)
	for range 100 {
		r.now += Slice / 100
		r.s.Block(0, r.now, -1)
		r.s.Unblock(0)
	}
	r.want("what runs when the slice ends", r.enter(0), other)
	r.now += Slice
	r.want("and after another one", r.enter(0), id)
}

// crowded makes CPU 0 run a thread behind which one waits that may run anywhere and
// found no sleeper.
func (r *rig) crowded() {
	r.t.Helper()
	r.release(r.weigh(0, process.Fair, 100))
	r.release(r.weigh(0, process.Fair, 100))
	r.enter(0)
	r.a.Reset()
}

func TestAWakeOfWhoIsDueKicks(t *testing.T) {
	r := busy(t)
	id := r.start(0, process.Fair)
	r.park(0)
	r.crowded()
	r.serve(0, time.Second+time.Millisecond)
	r.a.Reset()
	r.s.Wake(1, r.now, id, &r.a)
	r.kicked(0)
	r.want("what runs", r.enter(0), id)
}

func TestAWakeOfWhoIsNotDueKicksNobody(t *testing.T) {
	r := busy(t)
	id := r.start(0, process.Fair)
	r.now += 3 * Slice / 4
	r.park(0)
	r.crowded()
	r.now += granularity
	r.s.Wake(1, r.now, id, &r.a)
	r.kicked()
}

// Who waits while others arrive does not cut the slice short: only who arrives does.
func TestAFairTurnIsAWholeSlice(t *testing.T) {
	r := busy(t)
	r.weigh(0, process.Fair, 100)
	r.weigh(0, process.Fair, 100)
	id := r.enter(0)
	for range 2 { // the second time both have had as much, and who waits is behind soon
		for range 7 {
			r.now += Slice / 8
			r.want("what runs within the slice", r.enter(0), id)
		}
		r.now += Slice / 8
		next := r.enter(0)
		r.want("whether it goes on after the slice", next == id, false)
		id = next
	}
}

// Of two threads that came one after the other to an idle CPU the first, which slept
// meanwhile, has no more claim than the time that the other ran.
func TestANewcomerOwesNobodyWhereNobodyIs(t *testing.T) {
	r := busy(t)
	first := r.start(0, process.Fair)
	r.park(0)
	second := r.start(0, process.Fair)
	r.now += granularity / 2
	r.s.Wake(1, r.now, first, &r.a)
	r.want("what runs", r.enter(0), second)
}

func TestATurnIsChargedHoweverItEnds(t *testing.T) {
	for how, end := range map[string]func(*rig){
		"blocks": func(r *rig) { r.s.Block(0, r.now, -1) },
		"yields": func(r *rig) { r.s.Yield(0, r.now) },
	} {
		r := newRig(t, shape(t, "L(1,1)"))
		id := r.start(0, process.Fair)
		before := r.s.nodes[id].links[byTurn].key
		r.now += Slice / 2
		end(r)
		r.want("what one that "+how+" is charged", r.s.nodes[id].links[byTurn].key-before, virtual(Slice/2, process.DefaultWeight))
	}
}
