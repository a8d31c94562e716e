package sched

import (
	"hearth/cpu"
	"hearth/process"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Two placers on different CPUs look, claim and look again in any order of their
// steps: they get different CPUs whenever two are free.
func TestTwoPlacersShareNoFreeCPUInAnyInterleaving(t *testing.T) {
	top := shape(t, "L(3,3)s2")
	r := newRig(t, top)
	var views [2]View
	rapid.Check(t, func(rt *rapid.T) {
		busy := rapid.IntRange(2, 10).Draw(rt, "busy")
		*r = rig{t: t, s: new(Scheduler), now: time.Second}
		r.s.Init(top)
		for c := range cpu.ID(12) {
			r.s.Online(c, 0)
			r.enter(c)
		}
		for i := range busy {
			r.start(cpu.ID(i*5%12), process.Fair)
		}
		free := 12 - busy
		var got [2]cpu.ID
		var looked, done [2]bool
		for !done[0] || !done[1] {
			i := rapid.IntRange(0, 1).Draw(rt, "placer")
			if done[i] {
				i = 1 - i
			}
			req := Request{Context: r.context(process.Fair), Process: image, Near: true}
			if !looked[i] {
				p, _ := r.s.Place(cpu.ID(i*5), r.now, &req, &views[i])
				got[i], looked[i] = p.CPU, true
				continue
			}
			var e Ranking
			r.s.Explain(&views[i], &e)
			done[i] = r.s.tryClaim(&views[i].CPUs[e.at], bandFair)
			looked[i] = done[i]
		}
		if free >= 2 && got[0] == got[1] {
			rt.Fatalf("both claimed CPU %d with %d free", got[0], free)
		}
	})
}

// The counts of homes against the walk, through any sequence of spawns, moves and
// exits of up to 64 threads.
func TestTheCountsOfHomesEqualTheWalk(t *testing.T) {
	top := shape(t, "L(2,2)s2")
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, top)
		r.start(0, process.Service)
		var newest []process.ContextID
		for range rapid.IntRange(1, 100).Draw(rt, "steps") {
			step := rapid.IntRange(0, 3).Draw(rt, "step")
			if step < 2 && len(newest) < WalkLimit {
				id := r.context(process.Fair)
				r.place(0, Request{Context: id, Process: image, Near: step == 0})
				newest = slices.Insert(newest, 0, id)
			} else if len(newest) > 0 {
				i := rapid.IntRange(0, len(newest)-1).Draw(rt, "which")
				c := r.home(newest[i])
				if step == 2 {
					r.finish(c)
					newest = slices.DeleteFunc(newest, func(id process.ContextID) bool {
						return r.s.Table.Context(id).State() == process.New
					})
				} else {
					m := only(cpu.ID(rapid.IntRange(0, 7).Draw(rt, "to")))
					r.s.SetMask(0, r.now, newest[i], &m, &r.a)
					r.settle(rt)
				}
			}
			r.compareHomes(rt, newest)
		}
	})
}

// finish lets c run its next context to its end.
func (r *rig) finish(c cpu.ID) {
	id := r.enter(c)
	if id == 0 || r.s.Table.Context(id).Thread() == 0 {
		return
	}
	r.s.Vacate(c)
	r.s.Table.Exit(r.s.Table.Context(id).Thread(), 0)
	r.s.Exit(c, r.now)
	r.s.Table.FreeContext(id)
	r.enter(c)
}

// settle delivers kicks until there are none.
func (r *rig) settle(rt *rapid.T) {
	for range 100 {
		if r.a.Empty() {
			return
		}
		kicks := r.a.Kicks
		r.a.Reset()
		for c := kicks.First(); c != cpu.None; c = kicks.Next(c) {
			r.enter(c)
		}
	}
	rt.Fatal("the kicks never end")
}

func (r *rig) compareHomes(rt *rapid.T, newest []process.ContextID) {
	var cover, found cpu.Mask
	cover.SetAll(8)
	WalkHomes(&r.s.Table, newest, &cover, &found)
	for c := range cpu.ID(8) {
		if got := r.s.Homes(image, c) > 0; got != found.Has(c) {
			rt.Fatalf("CPU %d counts %d homes, the walk found %v", c, r.s.Homes(image, c), &found)
		}
		core := r.s.Topology.At[c].Core
		if got := r.s.CoreHomes(image, core) > 0; got != found.Intersects(r.s.Topology.CoreMask(core)) {
			rt.Fatalf("core %d counts %d homes, the walk found %v", core, r.s.CoreHomes(image, core), &found)
		}
	}
}
