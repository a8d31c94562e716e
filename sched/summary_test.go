package sched

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"math/rand/v2"
	"testing"
	"time"
)

// machines are the topologies on which searches by summaries are held against scans.
func machines(t *testing.T, rng *rand.Rand) map[string]*cpu.Topology {
	all := map[string]*cpu.Topology{"crossed": crossed()}
	for _, name := range []string{
		"L(1)", "L(2)", "L(4)", "L(1,1)", "L(2,2)", "L(4,4)", "L(1,2,3)", "L(1)x7", "L(5,1,1)", "L(16)", "L(64)", "L(65)", "L(70)s2", "L(200,3)",
		"L(1)s2", "L(2)s2", "L(2,2)s2", "L(6,6)s2", "L(3,1)s2", "L(1,1,1)s2", "L(4)x4s2", "L(8)x8", "L(8)x4s2", "L(33)s2", "L(8)x16s2",
		"L(8)x64s2", "L(16)x64", "L(1)x80", "L(2)s4", "L(3,2)s3",
	} {
		all[name] = shape(t, name)
	}
	for i := range 6 {
		all[fmt.Sprintf("scattered%d", i)] = scattered(rng, 1+rng.IntN(40), 1+rng.IntN(8), 1+i%2)
	}
	all["scattered 500"] = scattered(rng, 250, 20, 2)
	return all
}

// scattered numbers the CPUs of so many cores and LLC domains at random; some cores
// have fewer CPUs than others.
func scattered(rng *rand.Rand, cores, llcs, smt int) *cpu.Topology {
	var locs []cpu.Location
	for core := range cores {
		for range 1 + rng.IntN(smt) {
			locs = append(locs, cpu.Location{Core: cpu.Key{uint32(core)}, LLC: cpu.Key{uint32(core % llcs)}})
		}
	}
	rng.Shuffle(len(locs), func(i, j int) { locs[i], locs[j] = locs[j], locs[i] })
	for i := range locs {
		locs[i].APIC = uint32(i)
	}
	top := new(cpu.Topology)
	cpu.Build(top, locs)
	return top
}

// frozen is a machine in any state that summaries may be in between two steps.
type frozen struct {
	s   *Scheduler
	rng *rand.Rand
	now time.Duration
	id  process.ContextID
}

// freeze makes a machine with some CPUs isolated, slower or offline.
func freeze(top *cpu.Topology, rng *rand.Rand) *frozen {
	f := &frozen{s: new(Scheduler), rng: rng, now: time.Hour}
	f.s.Init(top)
	odd := func(one int) bool { return rng.IntN(one) == 0 }
	slow, apart, absent := odd(3), odd(3), odd(3)
	for c := range cpu.ID(top.Count) {
		if slow {
			f.s.slowness[c] = uint16(rng.IntN(3) * 100)
		}
		if apart && odd(4) {
			f.s.SetIsolated(c)
		}
		if c == 0 || !absent || !odd(4) {
			f.s.Online(c, 0)
		}
	}
	f.s.SetSlowness(0, f.s.slowness[0])
	f.id = f.s.Table.NewContext(image, process.Service)
	return f
}

// draw gives every CPU another state; one in so many is busy.
func (f *frozen) draw(busy int) {
	for c := range cpu.ID(f.s.Topology.Count) {
		h := &f.s.handles[c]
		f.s.awaken(c)
		h.load.Store(0)
		h.latency.Store(uint32(f.rng.IntN(4)) * 1000)
		f.drawIdle(c, h, busy)
		if f.rng.IntN(busy+1) == 0 {
			h.load.Store([]uint64{1, 2, backgroundUnit, backgroundUnit + 1}[f.rng.IntN(4)])
		}
		f.drawHome(c)
	}
}

func (f *frozen) drawIdle(c cpu.ID, h *handle, busy int) {
	h.running.Store(0)
	switch f.rng.IntN(5) {
	case 0:
		f.s.fallAsleep(c, 0)
		h.idle.Store(uint32(Polling))
	default:
		f.s.fallAsleep(c, h.latency.Load())
		h.idle.Store(uint32(Halted))
	}
	if f.rng.IntN(busy) != 0 {
		return
	}
	// Kicked, or on its way out of a sleep, or all the way.
	h.heard.Store(int64(f.now - time.Duration(f.rng.IntN(2))*time.Minute))
	switch f.rng.IntN(3) {
	case 0:
		h.idle.Store(uint32(Kicked))
	case 1:
		h.idle.Store(uint32(Busy))
	default:
		h.idle.Store(uint32(Busy))
		f.s.awaken(c)
	}
	h.running.Store(uint32(f.rng.IntN(4)))
}

func (f *frozen) drawHome(c cpu.ID) {
	if n := f.s.homes.byCPU[image][c].Load(); n > 0 && f.rng.IntN(2) == 0 {
		f.s.addHome(image, c, -1)
	} else if f.rng.IntN(3) == 0 {
		f.s.addHome(image, c, 1)
	}
}

// request draws a spawn, half of them with a mask.
func (f *frozen) request() (c cpu.ID, req *Request) {
	n := f.s.Topology.Count
	c = cpu.ID(f.rng.IntN(n))
	f.s.locals[c].start = int32(f.rng.IntN(n))
	req = &Request{Context: f.id, Process: image, Near: f.rng.IntN(3) != 0}
	if f.rng.IntN(2) == 0 {
		req.Mask = new(cpu.Mask)
		one := 1 + f.rng.IntN(8)
		for i := range cpu.ID(n) {
			if f.rng.IntN(one) == 0 {
				req.Mask.Set(i)
			}
		}
	}
	return c, req
}

// free reports whether the view has a CPU to which the searches must agree.
func (v *View) free() bool {
	for i := range v.CPUs[:v.N] {
		if r := &v.CPUs[i]; r.Flags&RawAllowed != 0 && r.Free() {
			return true
		}
	}
	return false
}

func (v *View) allowed() (n int) {
	for i := range v.CPUs[:v.N] {
		n += int(v.CPUs[i].Flags & RawAllowed)
	}
	return n
}

func TestASearchBySummariesFindsWhatAScanFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	all := machines(t, rng)
	if len(all) < 30 {
		t.Fatalf("only %d machines", len(all))
	}
	v := new(View)
	var agreed, busy int
	for name, top := range all {
		for range 4 {
			f := freeze(top, rng)
			for range 12_000 / (top.Count + 100) {
				f.draw(1 + rng.IntN(8))
				for range 3 {
					free := f.compare(t, name, v)
					agreed += int(bit(free))
					busy += int(bit(!free))
				}
				if t.Failed() {
					return
				}
			}
		}
	}
	t.Logf("%d machines, %d decisions with a free CPU, %d without", len(all), agreed, busy)
}

// compare makes one decision both ways, and reports whether there was a free CPU.
func (f *frozen) compare(t *testing.T, name string, v *View) (free bool) {
	t.Helper()
	c, req := f.request()
	want, ok := f.s.Place(c, f.now, req, v)
	got, found := f.s.Place(c, f.now, req, nil)
	free = v.free()
	if ok != found || ok && (free || v.allowed() <= scanLimit) && (got.CPU != want.CPU || got.Key != want.Key) {
		t.Errorf("%s: from CPU %d, start %d, near %v, mask %v: found %v on CPU %d with %v, the scan %v on CPU %d with %v",
			name, c, want.Start, req.Near, req.Mask, found, got.CPU, got.Key, ok, want.CPU, want.Key)
	}
	return free
}
