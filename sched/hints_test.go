package sched

import (
	"hearth/cpu"
	"hearth/process"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
)

// wantHint is what a hint must say, CPU by CPU.
func (f *frozen) wantHint(g int32, kind int) (want bool) {
	s := f.s
	for c := range cpu.ID(s.Topology.Count) {
		idle := s.summaries[s.groups.of[c]].idle.Load()>>s.groups.bit[c]&1 != 0
		if s.groups.of[c] != g || !s.online.has(c) || !idle {
			continue
		}
		alone := true
		siblings := s.Topology.Siblings(c)
		for o := siblings.First(); o != cpu.None; o = siblings.Next(o) {
			alone = alone && (!s.online.has(o) || s.summaries[g].idle.Load()>>s.groups.bit[o]&1 != 0)
		}
		at := kind < hintAt || s.summaries[g].at[kind-hintAt].Load()>>s.groups.bit[c]&1 != 0
		want = want || at && (kind != hintCore || alone)
	}
	return want
}

// wantCovered reports whether each core, and each CPU, of a group is a home.
func (f *frozen) wantCovered(g int32) (cores, cpus bool) {
	cores, cpus = true, true
	for c := range cpu.ID(f.s.Topology.Count) {
		if f.s.groups.of[c] == g {
			cores = cores && f.s.CoreHomes(image, f.s.Topology.At[c].Core) > 0
			cpus = cpus && f.s.Homes(image, c) > 0
		}
	}
	return cores, cpus
}

func TestHintsAgreeWithTheirGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	reach := map[string]int{}
	for name, top := range machines(t, rng) {
		if top.Count > 256 {
			continue
		}
		f := freeze(top, rng)
		if f.s.groups.wide {
			continue
		}
		for range 10 {
			f.draw(1 + rng.IntN(4))
			for range 3 * top.Count {
				f.drawHome(cpu.ID(rng.IntN(top.Count)))
			}
			for g := range f.s.groups.count {
				f.compareHints(t, name, g, reach)
			}
		}
	}
	for _, what := range []string{"hint", "no hint", "covered", "not covered"} {
		if reach[what] < 100 {
			t.Errorf("%s: only %d times", what, reach[what])
		}
	}
}

func (f *frozen) compareHints(t *testing.T, name string, g int32, reach map[string]int) {
	t.Helper()
	for kind := range hintKinds {
		if kind == hintSurplus {
			continue
		}
		got, want := f.s.hints[g>>6][kind].Load()>>(g&63)&1 != 0, f.wantHint(g, kind)
		if got != want {
			t.Errorf("%s: hint %d of group %d is %v, want %v", name, kind, g, got, want)
		}
		reach[map[bool]string{true: "hint", false: "no hint"}[got]]++
	}
	cores, cpus := f.wantCovered(g)
	has := func(home int) bool { return f.s.homes.covered(image, g>>6, home)>>(g&63)&1 != 0 }
	if has(0) != cores || has(1) != cpus {
		t.Errorf("%s: homes cover the cores of group %d: %v, its CPUs: %v, want %v and %v", name, g, has(0), has(1), cores, cpus)
	}
	reach[map[bool]string{true: "covered", false: "not covered"}[has(0)]]++
}

// race makes both calls begin at the same moment, as often as told.
func race(rounds int, before, one, other, after func()) {
	var turn, done atomic.Int64
	go func() {
		for i := range int64(rounds) {
			for turn.Load() <= i {
				runtime.Gosched()
			}
			other()
			done.Store(i + 1)
		}
	}()
	for i := range int64(rounds) {
		before()
		turn.Store(i + 1)
		one()
		for done.Load() <= i {
			runtime.Gosched()
		}
		after()
	}
}

// A CPU goes to sleep while the only other idle one of the group wakes up, and a home
// comes while another one goes.
func TestHintsAgreeWhateverTheOrderOfTheirWriters(t *testing.T) {
	s := new(Scheduler)
	s.Init(shape(t, "L(2)"))
	s.Online(0, 0)
	s.Online(1, 0)
	race(100_000,
		func() { s.awaken(0); s.fallAsleep(1, 0); s.addHome(image, 1, 1) },
		func() { s.fallAsleep(0, 0); s.addHome(image, 1, 1); s.awaken(0); s.fallAsleep(0, 0) },
		func() { s.awaken(1); s.addHome(image, 1, -1) },
		func() {
			if s.hints[0][hintAny].Load() != 1 {
				t.Fatal("the hints hide CPU 0")
			}
			if s.homes.of(image, &s.groups.all[0]) != 2 {
				t.Fatal("CPU 1 is a home, and no bit says so")
			}
			s.addHome(image, 1, -1)
		})
}

// Who read the count of homes before another one changed it writes what is wrong by then.
func TestWhoWroteAHomeReadsAgain(t *testing.T) {
	s := new(Scheduler)
	s.Init(shape(t, "L(2)"))
	s.addHome(image, 1, 1)
	slot := s.groups.all[0].base + s.groups.bit[1]
	if agree(&s.homes.are[image][slot>>6], slot, false) {
		t.Error("who wrote that CPU 1 is no home does not read its count again")
	}
	s.settleHome(image, 1)
	if s.homes.of(image, &s.groups.all[0]) != 2 {
		t.Error("CPU 1 is a home, and no bit says so")
	}
}

func TestAHintOfSurplusThatWasDroppedTooSoonIsRestored(t *testing.T) {
	s := new(Scheduler)
	s.Init(shape(t, "L(2)"))
	race(100_000,
		func() { s.groupSurplus(0, false); s.hints[0][hintSurplus].Store(1) },
		func() { s.groupSurplus(0, true) },
		func() { s.dropSurplus(0) },
		func() {
			if s.hints[0][hintSurplus].Load() == 0 {
				t.Fatal("CPU 0 has surplus, and no hint says so")
			}
		})
}

func TestAnOutdatedHintOfSurplusIsDropped(t *testing.T) {
	r := newRig(t, shape(t, "L(2)x4"))
	r.start(0, process.Fair)
	for g := range 4 {
		r.s.hints[0][hintSurplus].Or(1 << g)
	}
	r.park(0)
	r.want("the hints of other groups", r.s.hints[0][hintSurplus].Load(), uint64(1))
	lines, _ := r.s.Lines(0)
	r.s.LeaveIdle(0, r.now)
	r.s.EnterIdle(0, r.now, &r.a)
	again, _ := r.s.Lines(0)
	r.want("lines read the next time", again-lines, uint64(0))
}

func TestAPushFindsASleeperThatTheHintsHide(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	ids := r.crowd(0, 1)
	for kind := range hintKinds {
		r.s.hints[0][kind].Store(0)
	}
	r.s.Pass(0, r.now, &r.a)
	r.want("its home", r.home(ids[0]), cpu.ID(1))
}

func TestASampleReadsAFewGroups(t *testing.T) {
	s := new(Scheduler)
	s.Init(shape(t, "L(8)x64s2"))
	q := query{asker: 8, start: 60}
	s.scratch(&q).SetAll(1024)
	s.scratch(&q).Clear(70)
	var m, want cpu.Mask
	s.sample(&q, &m)
	for _, llc := range []int32{1, 7, 8, 9} {
		want.Or(s.Topology.LLCMask(llc))
	}
	want.Clear(70)
	if !m.Equal(&want) {
		t.Errorf("it is %v, want %v", &m, &want)
	}
}
