package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func (r *rig) setMask(c cpu.ID, id process.ContextID, cpus ...cpu.ID) {
	r.t.Helper()
	m := only(cpus...)
	if !r.s.SetMask(c, r.now, id, &m, &r.a) {
		r.t.Fatalf("no CPU of %v is online", &m)
	}
}

func TestAContextThatForbidsItsOwnCPUMovesAtOnce(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	id := r.start(0, process.Fair)
	r.setMask(0, id, 2)
	r.want("what runs on CPU 0", r.s.Current(0), process.ContextID(0))
	r.kicked(2)
	r.want("what CPU 0 runs", r.enter(0), process.ContextID(0))
	r.want("what CPU 2 runs", r.enter(2), id)
	r.want("homes of CPU 0", r.s.Homes(image, 0), 0)
}

func TestAContextThatMayStayStays(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	id := r.start(0, process.Fair)
	r.setMask(0, id, 0, 2)
	r.want("what runs on CPU 0", r.enter(0), id)
	r.kicked()
}

func TestAContextThatRunsElsewhereMovesAtItsNextEntry(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	id := r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.setMask(1, id, 3)
	r.kicked(0)
	r.want("what CPU 0 runs", r.enter(0), process.ContextID(0))
	r.kicked(3)
	r.want("what CPU 3 runs", r.enter(3), id)
}

func TestAQueuedContextMovesAtOnce(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1,1)"))
	for c := range cpu.ID(3) {
		r.start(c, process.Fair)
	}
	id := r.pin(0, process.Fair, cpu.None)
	r.enter(0)
	r.setMask(1, id, 2)
	r.kicked(0)
	r.enter(0)
	r.want("its home", r.home(id), cpu.ID(2))
	r.kicked(2)
	r.want("load of CPU 0", r.s.Look(0).Load, uint32(0))
	r.want("load of CPU 2", r.s.Look(2).Load, uint32(1))
}

func TestAContextInTransitGoesOnToWhereItMayRun(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1,1)"))
	r.start(1, process.Fair)
	id := r.pin(0, process.Fair, 1)
	r.a.Reset()
	r.setMask(1, id, 2)
	r.kicked() // the home looks at the mask when it drains its inbox
	r.want("what CPU 0 runs", r.enter(0), process.ContextID(0))
	r.want("what CPU 2 runs", r.enter(2), id)
}

func TestABlockedContextMovesWhenItIsWoken(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1,1)"))
	id := r.start(0, process.Fair)
	r.s.Block(0, r.now, r.now+time.Hour)
	r.enter(0)
	r.start(1, process.Fair)
	r.setMask(1, id, 2)
	r.kicked()
	r.s.Wake(1, r.now, id, &r.a)
	r.want("what CPU 0 runs", r.enter(0), process.ContextID(0))
	r.want("what CPU 2 runs", r.enter(2), id)
	if _, of := r.s.Due(0); of != 0 {
		t.Error("its alarm stayed on CPU 0")
	}
}

func TestARequestFollowsAContextThatMovedOn(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1,1)"))
	for c := range cpu.ID(3) {
		r.start(c, process.Fair)
	}
	id := r.pin(0, process.Fair, cpu.None)
	r.release(id)
	r.enter(0)
	r.setMask(1, id, 2) // asks CPU 0
	r.a.Reset()
	m := only(0, 1, 2)
	r.s.Table.Context(id).SetMask(&m)
	r.s.handles[1].addLoad(bandFair)
	r.s.migrate(0, r.now, id, 1, MovePush, &r.a) // before CPU 0 sees the request
	r.enter(1)
	m = only(2)
	r.s.Table.Context(id).SetMask(&m)
	r.a.Reset()
	r.enter(0)
	r.kicked(1)
	r.enter(1)
	r.want("its home", r.home(id), cpu.ID(2))
}

func TestARelocationIsNotDrawnToTheOldLLC(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	id := r.start(3, process.Fair)
	r.setMask(3, id, 0, 1, 2)
	r.want("its home", r.home(id), cpu.ID(0))
}

func TestACPUThatIsNotOnlineGetsNothing(t *testing.T) {
	r := &rig{t: t, s: new(Scheduler)}
	r.s.Init(shape(t, "L(3)"))
	r.s.Online(0, 0)
	r.s.Online(2, 0)
	r.enter(0)
	r.enter(2)
	id := r.start(0, process.Fair)
	r.start(2, process.Fair)
	r.pin(2, process.Fair, cpu.None)
	r.setMask(0, id, 1, 2)
	r.want("its home", r.home(id), cpu.ID(2))
}

func TestAMaskWithoutAnOnlineCPUIsRefused(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	id := r.start(0, process.Fair)
	m := only(9)
	if r.s.SetMask(0, r.now, id, &m, &r.a) {
		t.Error("it is taken")
	}
	r.want("what runs", r.enter(0), id)
}

// A scan skips what cannot win; the choice is that of ranking every CPU.
func TestAScanChoosesAsIfEveryCPUWereRanked(t *testing.T) {
	top := shape(t, "L(3,3)s2")
	rapid.Check(t, func(rt *rapid.T) {
		s := new(Scheduler)
		s.Init(top)
		var m cpu.Mask
		for c := range cpu.ID(12) {
			s.Online(c, 0)
			s.handles[c].load.Store(uint64(rapid.IntRange(0, 1).Draw(rt, "load")))
			s.fallAsleep(c, 0)
			s.handles[c].idle.Store(uint32(rapid.SampledFrom([]Idle{Busy, Halted, Kicked}).Draw(rt, "idle")))
			s.SetSlowness(c, uint16(rapid.IntRange(0, 1).Draw(rt, "slowness")))
			if rapid.Bool().Draw(rt, "allowed") {
				m.Set(c)
			}
		}
		q := query{band: bandFair, start: cpu.ID(rapid.IntRange(0, 11).Draw(rt, "start")), spawner: cpu.ID(rapid.IntRange(int(cpu.None), 11).Draw(rt, "near"))}
		want, first, second := cpu.None, none, none
		for c := m.First(); c != cpu.None; c = m.Next(c) {
			var r Raw
			s.read(c, 0, false, &r)
			if k := s.rankFor(&q, &r, s.busyAround(c)); k.before(first) {
				want, first, second = c, k, first
			} else if k.before(second) {
				second = k
			}
		}
		var got answer
		ok := s.scan(&q, &m, 0, &got)
		if ok != (want != cpu.None) || ok && (got.cpu != want || got.term != termBetween(first, second)) {
			rt.Fatalf("found %d by term %d, %v, want %d of %v", got.cpu, got.term, ok, want, &m)
		}
	})
}
