package sched

import (
	"hearth/cpu"
	"hearth/process"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// role is one CPU of a machine, whatever its number.
type role struct {
	core, llc uint32
	idle      Idle
	load      uint64
	latency   uint32
	homes     int32
	slowness  uint16
	isolated  bool
	allowed   bool
}

func drawRoles(t *rapid.T) []role {
	small := func(name string, most int) int { return rapid.IntRange(0, most).Draw(t, name) }
	var roles []role
	cores := 1 + small("cores", 9)
	llcs := 1 + small("LLCs", 2)
	smt := 1 + small("SMT", 1)
	for core := range cores {
		slowness := uint16(small("slowness", 1))
		for range smt {
			roles = append(roles, role{
				core: uint32(core), llc: uint32(core % llcs), slowness: slowness,
				idle: rapid.SampledFrom([]Idle{Busy, Polling, Halted, Halted, Kicked}).Draw(t, "idle"),
				load: uint64(small("load", 3) / 3), latency: uint32(small("latency", 2)), homes: int32(small("homes", 3) / 2),
				isolated: small("isolated", 5) == 0, allowed: small("allowed", 3) != 0,
			})
		}
	}
	return roles
}

// casting is a machine in which CPU i plays the role of number cast[i].
type casting struct {
	s    *Scheduler
	cast []int
	mask cpu.Mask
}

func perform(roles []role, cast []int) *casting {
	m := &casting{s: new(Scheduler), cast: cast}
	locs := make([]cpu.Location, len(roles))
	for i, r := range cast {
		locs[i] = cpu.Location{APIC: uint32(i), Core: cpu.Key{roles[r].core}, LLC: cpu.Key{roles[r].llc}}
	}
	top := new(cpu.Topology)
	cpu.Build(top, locs)
	m.s.Init(top)
	for i := range cast {
		m.play(cpu.ID(i), &roles[cast[i]])
	}
	return m
}

// play makes c what its role says.
func (m *casting) play(c cpu.ID, r *role) {
	m.s.Online(c, 0)
	m.s.SetSlowness(c, r.slowness)
	if r.isolated {
		m.s.SetIsolated(c)
	}
	h := &m.s.handles[c]
	h.load.Store(r.load)
	h.latency.Store(r.latency)
	m.s.addHome(image, c, r.homes)
	switch r.idle {
	case Halted:
		m.s.fallAsleep(c, r.latency)
	case Polling:
		m.s.fallAsleep(c, 0)
	}
	h.idle.Store(uint32(r.idle))
	if r.allowed {
		m.mask.Set(c)
	}
}

// place spawns from the CPU in a role.
func (m *casting) place(spawner int, near, masked bool, v *View) (r int, p Placement, ok bool) {
	c := cpu.ID(0)
	for i, r := range m.cast {
		if r == spawner {
			c = cpu.ID(i)
		}
	}
	req := Request{Context: m.s.Table.NewContext(image, process.Fair), Process: image, Near: near}
	if masked {
		req.Mask = &m.mask
	}
	if p, ok = m.s.Place(c, time.Second, &req, v); ok {
		r = m.cast[p.CPU]
	}
	m.s.Table.DropContext(req.Context)
	return r, p, ok
}

// The numbers of CPUs and LLC domains mean nothing: with others the same role is
// chosen, or one that differs from it in nothing but where the rotation stands.
func TestRenumberingTheMachinePermutesThePlacement(t *testing.T) {
	v := new(View)
	told := 0
	rapid.Check(t, func(t *rapid.T) {
		roles := drawRoles(t)
		same := make([]int, len(roles))
		for i := range same {
			same[i] = i
		}
		other := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "numbering"), 0)).Perm(len(roles))
		spawner := rapid.IntRange(0, len(roles)-1).Draw(t, "spawner")
		near, masked := rapid.Bool().Draw(t, "near"), rapid.Bool().Draw(t, "masked")
		a, b := perform(roles, same), perform(roles, other)
		for _, view := range []*View{nil, v} {
			one, p, ok := a.place(spawner, near, masked, view)
			two, q, found := b.place(spawner, near, masked, view)
			byDistance := view == nil || p.Term == TermDistance
			p.Key[TermDistance], q.Key[TermDistance] = 0, 0
			if ok != found || p.Key != q.Key || !byDistance && one != two {
				t.Fatalf("the role %d with key %v, by other numbers %d with %v", one, p.Key, two, q.Key)
			}
			told += int(bit(!byDistance))
		}
	})
	if told == 0 {
		t.Error("no decision was one of a single best CPU")
	}
}

// wait is how long a thread waits in a role where its key says, but for the way there:
// longer than anywhere else where a kick has stayed without an answer since time 0.
func (r *role) wait(k *Key) time.Duration {
	if r.idle == Kicked {
		return time.Hour
	}
	return time.Duration(k[TermLoad])*Slice + time.Duration(k[TermAwake]/2)*Slice
}

// One more free CPU, or one more allowed, is never a reason to wait for longer.
func TestMoreRoomNeverMakesAThreadWaitLonger(t *testing.T) {
	v := new(View)
	shorter := 0
	rapid.Check(t, func(t *rapid.T) {
		roles := drawRoles(t)
		order := make([]int, len(roles))
		for i := range order {
			order[i] = i
		}
		spawner := rapid.IntRange(0, len(roles)-1).Draw(t, "spawner")
		near, which := rapid.Bool().Draw(t, "near"), rapid.IntRange(0, len(roles)-1).Draw(t, "which")
		roomy := slices.Clone(roles)
		if rapid.Bool().Draw(t, "wider") {
			roomy[which].allowed = true
		} else {
			roomy[which].idle, roomy[which].load = Halted, 0
		}
		before, after := perform(roles, order), perform(roomy, order)
		for _, view := range []*View{nil, v} {
			i, p, ok := before.place(spawner, near, true, view)
			if !ok {
				continue
			}
			j, q, _ := after.place(spawner, near, true, view)
			waits, roomier := roles[i].wait(&p.Key), roomy[j].wait(&q.Key)
			if roomier > waits {
				t.Fatalf("waits %v with key %v, with more room %v with %v", waits, p.Key, roomier, q.Key)
			}
			shorter += int(bit(roomier < waits))
		}
	})
	if shorter == 0 && !testing.Short() { // 20 draws of the short form may miss it
		t.Error("more room never helped: nothing was put to the test")
	}
}

// The walk over siblings stops once it has covered the mask, reads 64 at most, and
// finds what the first ones that it reads call home.
func TestTheWalkReadsNoMoreThanItMust(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := new(process.Table)
		tab.Init()
		homes := rapid.SliceOfN(rapid.Int32Range(-1, 9), 0, 90).Draw(t, "homes")
		var cover, found, want cpu.Mask
		for _, c := range rapid.SliceOfN(rapid.Int32Range(0, 9), 0, 10).Draw(t, "cover") {
			cover.Set(cpu.ID(c))
		}
		ids := make([]cpu.ID, len(homes))
		for i, c := range homes {
			ids[i] = cpu.ID(c)
		}
		read := WalkHomes(tab, siblings(tab, ids...), &cover, &found)
		must := 0
		for must < min(len(ids), 64) && !want.Equal(&cover) {
			if cover.Has(ids[must]) {
				want.Set(ids[must])
			}
			must++
		}
		if read != must || !found.Equal(&want) {
			t.Fatalf("read %d and found %v, want %d and %v", read, &found, must, &want)
		}
	})
}
