package sched

import (
	"hearth/process"
	"testing"
)

func TestASleeperGetsOneKick(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.pin(0, process.Fair, 1)
	r.kicked(0)
	r.pin(0, process.Fair, 1)
	r.kicked()
	r.want("merged kicks", r.s.Counter(1, KicksMerged), uint64(1))
	r.enter(0)
	r.park(0)
	r.park(0)
	r.kicked()
	r.pin(0, process.Fair, 1)
	r.kicked(0)
}

func TestAPollerNeedsNoKick(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.s.handles[0].idle.Store(uint32(Polling))
	r.pin(0, process.Fair, 1)
	r.kicked()
}

// A CPU that runs one thread alone has no alarm to see the post by; one with a slice
// running and something to give away that nobody took has.
func TestABusyCPUIsKickedOnlyIfItMustLook(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.pin(0, process.Fair, 1)
	r.kicked(0)
	r.enter(0)
	r.pin(0, process.Fair, 1)
	r.kicked(0) // what waits is pinned: the new one might leave for a sleeper
	id := r.pin(0, process.Fair, 1)
	r.release(id)
	r.enter(0)
	r.kicked()
	r.pin(0, process.Fair, 1)
	r.kicked()
	r.pin(0, process.Background, 1)
	r.kicked()
	r.pin(0, process.RealTime, 1)
	r.kicked(0)
}

func TestAThreadOfItsOwnCPUNeedsNoKick(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(0, process.Fair)
	r.pin(0, process.Fair, 0)
	r.kicked()
}

func TestKicksSayWhy(t *testing.T) {
	r := newRig(t, shape(t, "L(2,1)"))
	why := func(want Reason) {
		t.Helper()
		for _, e := range r.a.Events[:r.a.N] {
			if e.Kind == EventKick && e.Reason == want {
				r.a.Reset()
				return
			}
		}
		t.Errorf("events are %+v, want a kick of reason %d", r.a.Events[:r.a.N], want)
		r.a.Reset()
	}
	r.pin(0, process.Fair, 1)
	why(KickWake)
	r.enter(0)
	r.pin(0, process.Fair, 1)
	why(KickSlice)
	r.release(r.pin(0, process.Fair, 1))
	r.start(1, process.Fair)
	r.start(2, process.Fair)
	r.enter(0)
	r.a.Reset()
	r.pin(0, process.RealTime, 1)
	why(KickPreempt)
	r.want("kicks to another LLC domain", r.s.Total(Crossings), uint64(0))
	r.pin(0, process.RealTime, 2)
	r.pin(2, process.RealTime, 0)
	why(KickSlice)
	r.want("kicks to another LLC domain", r.s.Total(Crossings), uint64(1))
}

// While a CPU goes to sleep it looks at its inbox last, so nobody kicks it.
func TestACPUThatGoesToSleepLooksOnceMore(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(0, process.Fair)
	r.s.Block(0, r.now, -1)
	if next, _ := r.s.Pass(0, r.now, &r.a); next != 0 {
		t.Fatal("something runs")
	}
	r.pin(0, process.Fair, 1)
	r.kicked()
	if r.s.EnterIdle(0, r.now, &r.a) {
		t.Error("the CPU sleeps on a full inbox, and no kick is on its way")
	}
	r.want("its state", r.s.Look(0).Idle, Busy)
}

func TestACPUKickedOnItsWayToSleepStaysAwake(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(0, process.Fair)
	r.s.Block(0, r.now, -1)
	r.s.Pass(0, r.now, &r.a)
	r.s.ring(1, r.now, 0, always, KickMask, &r.a)
	r.kicked(0)
	if r.s.EnterIdle(0, r.now, &r.a) {
		t.Error("it sleeps")
	}
}
