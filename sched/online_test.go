package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// offline takes c off and lets every CPU look at what it was sent, until all is quiet.
func (r *rig) offline(c cpu.ID) {
	r.t.Helper()
	if !r.s.SetOffline(0, r.now, c, &r.a) {
		r.t.Fatalf("CPU %d does not go offline", c)
	}
	r.quiet()
}

func (r *rig) online(c cpu.ID) {
	r.t.Helper()
	if !r.s.SetOnline(0, r.now, c, &r.a) {
		r.t.Fatalf("CPU %d does not come back", c)
	}
	r.quiet()
}

// quiet makes passes of all CPUs until nothing is posted and nobody is kicked.
func (r *rig) quiet() {
	r.t.Helper()
	for range 200 {
		busy := false
		for c := range cpu.ID(r.s.Topology.Count) {
			if r.s.Look(c).Idle == Kicked || r.s.Look(c).Mail || r.s.locals[c].unfinished() || r.s.locals[c].current == 0 && r.s.locals[c].first() != 0 {
				r.now += time.Microsecond
				r.enter(c)
				busy = true
			}
		}
		if !busy {
			return
		}
	}
	r.t.Fatal("the machine never rests")
}

func TestWhatIsOnACPUThatGoesOfflineMoves(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	running := r.start(3, process.Fair)
	queued := r.pin(3, process.Fair, cpu.None)
	posted := r.pin(3, process.Fair, 0)
	r.release(queued)
	r.release(posted)
	r.a.Reset()
	r.offline(3)
	for what, id := range map[string]process.ContextID{"running": running, "queued": queued, "posted": posted} {
		if home := r.home(id); home == 3 || r.s.Table.Context(id).State() != process.Running {
			t.Errorf("what was %s is %v on CPU %d", what, r.s.Table.Context(id).State(), home)
		}
	}
	r.want("what CPU 3 runs", r.s.Current(3), process.ContextID(0))
	r.want("its state", r.s.Look(3).Idle, Halted)
}

func TestWhatIsWokenOnAnOfflineCPURunsElsewhere(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	r.start(0, process.Fair)
	woken, timed := r.start(3, process.Fair), process.ContextID(0)
	r.park(3)
	timed = r.start(3, process.Fair)
	r.s.Block(3, r.now, r.now+time.Millisecond)
	r.enter(3)
	r.offline(2)
	r.offline(3)
	r.s.Wake(0, r.now, woken, &r.a)
	r.quiet()
	r.want("the home of the woken one", r.home(woken), cpu.ID(1))
	r.park(1)
	r.now += time.Millisecond
	id, due := r.s.Expired(3, r.now)
	r.want("its wait is over", due, true)
	r.want("whose wait", id, timed)
	r.s.Wake(3, r.now, id, &r.a)
	r.enter(3)
	r.quiet()
	r.want("the home of the one that slept", r.home(timed), cpu.ID(1))
}

func TestTheLastCPUStaysOnline(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.offline(1)
	r.want("the last one goes", r.s.SetOffline(0, r.now, 0, &r.a), false)
	r.want("one that is off goes", r.s.SetOffline(0, r.now, 1, &r.a), false)
	r.want("the last one is online", r.s.IsOnline(0), true)
	r.online(1)
	r.want("one that is on comes", r.s.SetOnline(0, r.now, 1, &r.a), false)
	r.offline(0)
	r.want("then CPU 0 is online", r.s.IsOnline(0), false)
}

func TestACPUThatComesBackAsksForWork(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.offline(1)
	r.start(0, process.Fair)
	waits := r.pin(0, process.Fair, cpu.None)
	r.release(waits)
	r.enter(0)
	r.a.Reset()
	r.online(1)
	r.want("the home of what waited", r.home(waits), cpu.ID(1))
	r.want("its state", r.s.Table.Context(waits).State(), process.Running)
}

func TestAContextWhoseCPUsAreAllOfflineRunsAnywhereUntilOneIsBack(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.start(0, process.Fair)
	id := r.start(3, process.Fair)
	m := only(2, 3)
	r.s.Table.Context(id).SetMask(&m)
	r.offline(3)
	r.want("its home while CPU 2 is online", r.home(id), cpu.ID(2))
	r.offline(2)
	if home := r.home(id); home != 1 {
		t.Errorf("it is on CPU %d, want 1, the free one of those online", home)
	}
	r.want("its state", r.s.Table.Context(id).State(), process.Running)
	r.online(3)
	r.want("its home when CPU 3 is back", r.home(id), cpu.ID(3))
	r.want("its state then", r.s.Table.Context(id).State(), process.Running)
	var now cpu.Mask
	r.s.Table.Context(id).Mask(&now)
	r.want("its mask", now, m)
}

// CPU 3, the only one of id's mask, comes back and goes again before it has made a pass.
// In between CPU 2 asked for work, was refused what only CPU 3 might run, and sleeps.
func TestWhatWaitsAstrayIsOfferedAgainWhenItsCPUWentBeforeItsPass(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	id := r.start(3, process.Fair)
	m := only(3)
	r.s.Table.Context(id).SetMask(&m)
	r.offline(2)
	r.offline(3)
	r.want("its state while all are busy", r.s.Table.Context(id).State(), process.Ready)
	r.s.SetOnline(0, r.now, 3, &r.a)
	r.s.SetOnline(0, r.now, 2, &r.a)
	r.enter(2)
	r.want("who asks its home", r.s.Look(r.home(id)).Pull, cpu.ID(2))
	r.enter(r.home(id))
	r.want("its state when only CPU 3 may run it", r.s.Table.Context(id).State(), process.Ready)
	r.s.SetOffline(0, r.now, 3, &r.a)
	r.quiet()
	r.want("its home when any may", r.home(id), cpu.ID(2))
	r.want("its state then", r.s.Table.Context(id).State(), process.Running)
}

func TestACPUThatRunsAloneIsToldToGoOffline(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	id := r.start(1, process.Fair)
	r.s.SetOffline(0, r.now, 1, &r.a)
	r.want("why it is kicked", r.event(EventKick).Reason, KickOnline)
	r.kicked(1)
	r.enter(1)
	r.want("why it moves", r.event(EventMigrate).Reason, MoveOffline)
	r.want("its home", r.home(id), cpu.ID(0))
}

func TestNothingIsMovedToAnOfflineCPU(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	r.start(0, process.Fair)
	id := r.start(1, process.Fair)
	r.offline(2)
	m := only(0, 2)
	r.s.SetMask(1, r.now, id, &m, &r.a)
	r.want("its home", r.home(id), cpu.ID(0))
}

func TestNothingIsPlacedOnAnOfflineCPU(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.start(0, process.Fair)
	r.offline(2)
	for range 8 {
		if p := r.spawn(0); p.CPU == 2 {
			t.Fatal("a thread was placed on CPU 2, which is offline")
		}
	}
	m := only(2)
	_, ok := r.s.Spawn(0, r.now, &Request{Context: r.context(process.Fair), Process: image, Mask: &m}, &r.v, &r.a)
	r.want("a mask of offline CPUs is accepted", ok, false)
}

func TestACPUThatIsOfflineIsNotSettled(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.s.SetOffline(0, r.now, 0, &r.a)
	r.want("CPU 0 is settled", r.s.Settled(0), false)
}

// A crowd leaves in bounded passes, whatever its number.
func TestACrowdLeavesACPUInBoundedPieces(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	var ids []process.ContextID
	for range 1000 {
		id := r.pin(1, process.Fair, 0)
		r.release(id)
		ids = append(ids, id)
	}
	for r.s.Look(1).Mail || r.s.locals[1].unfinished() {
		r.s.Pass(1, r.now, &r.a)
	}
	r.a.Reset()
	r.s.SetOffline(0, r.now, 1, &r.a)
	for left := true; left; left = r.s.locals[1].current != 0 || r.s.locals[1].first() != 0 {
		before := r.s.Steps(1)
		if next, _ := r.s.Pass(1, r.now, &r.a); next != 0 {
			t.Fatalf("CPU 1 runs %d", next)
		}
		if steps := r.s.Steps(1) - before; steps > MaxSteps {
			t.Fatalf("a pass visited %d contexts", steps)
		}
		r.a.Reset()
	}
	for _, id := range ids {
		r.want("a home", r.home(id), cpu.ID(0))
	}
}

func TestARecallIsDoneInPieces(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	id := r.start(1, process.Fair)
	m := only(1)
	r.s.Table.Context(id).SetMask(&m)
	r.start(0, process.Fair)
	r.offline(1)
	r.s.SetOnline(0, r.now, 1, &r.a)
	r.s.LeaveIdle(1, r.now)
	passes := 0
	for ; passes == 0 || r.s.locals[1].unfinished(); passes++ {
		before := r.s.Steps(1)
		r.s.Pass(1, r.now, &r.a)
		if steps := r.s.Steps(1) - before; steps > MaxSteps {
			t.Fatalf("a pass visited %d contexts", steps)
		}
	}
	if passes < process.MaxContexts/recallPiece/maxLooks {
		t.Errorf("%d passes looked at all contexts", passes)
	}
}

func TestAnOfflineCPUAsksForNothing(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.crowd(0, 1)
	r.s.locals[0].sought = true
	r.offline(1)
	r.s.Pass(0, r.now, &r.a)
	r.a.Reset()
	r.s.LeaveIdle(1, r.now)
	r.enter(1)
	r.want("who asks CPU 0", r.s.Look(0).Pull, cpu.None)
	r.kicked()
}
