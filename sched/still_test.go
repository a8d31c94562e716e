package sched

import (
	"hearth/cpu"
	"math/rand/v2"
	"testing"
)

// drawStill gives every CPU another state of which nothing is under way: the summaries
// tell the truth. One in so many is busy.
func (f *frozen) drawStill(busy int) {
	for c := range cpu.ID(f.s.Topology.Count) {
		h := &f.s.handles[c]
		f.s.awaken(c)
		h.idle.Store(uint32(Busy))
		h.load.Store(uint64(f.rng.IntN(2)))
		f.drawHome(c)
		if f.rng.IntN(busy) != 0 {
			h.load.Store(0)
			latency := uint32(f.rng.IntN(4)) * 1001
			h.latency.Store(latency)
			f.s.fallAsleep(c, latency)
			h.idle.Store(uint32(Halted))
		}
	}
}

// found is a decision made both ways.
type found struct {
	c              cpu.ID
	req            *Request
	near           int32 // LLC domain that attracts, -1: none
	want, got      Placement
	free           bool   // some allowed CPU is
	lines, refused uint64 // that the search read
}

func (f *frozen) find(t *testing.T, name string, v *View) *found {
	t.Helper()
	c, req := f.request()
	d := &found{c: c, req: req, near: -1}
	if req.Near {
		d.near = f.s.groups.llcOf(c)
	}
	var ok, same bool
	lines, refused := f.s.Lines(c)
	d.got, ok = f.s.Place(c, f.now, req, nil)
	d.lines, d.refused = f.s.Lines(c)
	d.lines -= lines
	d.refused -= refused
	d.want, same = f.s.Place(c, f.now, req, v)
	d.free = ok && v.free()
	if ok != same || d.free && (d.got.CPU != d.want.CPU || d.got.Key != d.want.Key) {
		t.Errorf("%s: from CPU %d, near %v, mask %v: found %v %+v, the scan %v %+v", name, c, req.Near, req.Mask, ok, d.got, same, d.want)
	}
	return d
}

// wantTerm is the term that a search reports: of the spawner's LLC domain, if that is
// one group and has the CPU, what tells it from the next one of the group.
func (f *frozen) wantTerm(d *found, v *View) int32 {
	g := &f.s.groups
	if d.req.Mask != nil && v.allowed() == 1 {
		return TermNone
	}
	if d.near < 0 || g.llcOf(d.got.CPU) != d.near || g.llc[d.near].hi-g.llc[d.near].lo > 1 {
		return TermDistance
	}
	var m cpu.Mask
	f.s.candidates(d.req, &m)
	m.And(f.s.Topology.LLCMask(d.near))
	p, _ := f.s.Place(d.c, f.now, &Request{Context: f.id, Process: image, Near: true, Mask: &m}, v)
	if p.Term < TermAwake {
		return TermAwake // the next one is not free
	}
	return p.Term
}

// wantLines is how many lines of other LLC domains a search reads that nothing refuses:
// the hints, unless the spawner's domain has a CPU of the best level, and of the CPU's
// domain, if that is another one, the summary and the handles of its core.
func (f *frozen) wantLines(d *found) (lines uint64) {
	key := &d.got.Key
	own := d.near >= 0 && f.s.groups.llcOf(d.got.CPU) == d.near
	if !own || key[TermSiblings] != 0 || key[TermHome] != 0 || key[TermCapacity] != uint32(f.s.groups.slow[0]) {
		lines++
	}
	if f.s.groups.llcOf(d.got.CPU) == f.s.groups.llcOf(d.c) {
		return lines
	}
	lines += 2
	siblings := *f.s.Topology.Siblings(d.got.CPU)
	f.s.online.keep(&siblings)
	if key[TermSiblings] == 0 && siblings.Count() > 1 {
		lines++
	}
	return lines
}

// still makes the machines of the tests below, of up to four speeds.
func still(t *testing.T, rng *rand.Rand, name string, speeds int) *frozen {
	f := freeze(shape(t, name), rng)
	for c := range cpu.ID(f.s.Topology.Count) {
		f.s.slowness[c] = uint16(rng.IntN(speeds) * 100)
	}
	f.s.SetSlowness(0, 0)
	return f
}

// On a machine that stands still a search finds the CPU that the scan finds, names the
// term as Spawn says, and reads as many lines as it must: with nothing refused exactly
// those, else one more for each refusal of another domain's group.
func TestASearchOfAStillMachineSaysWhatDecidedAndReadsWhatItMust(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	v := new(View)
	reach := map[int32]int{}
	for _, name := range []string{"L(3,3)s2", "L(6)x3s2", "L(4)x3", "L(1)x70", "L(40,2,40)s2", "L(8)s2"} {
		for speeds := 1; speeds <= 4; speeds += 3 {
			f := still(t, rng, name, speeds)
			for range 1 + 1500/f.s.Topology.Count {
				f.drawStill(1 + rng.IntN(6))
				for range 3 {
					d := f.find(t, name, v)
					if d.free {
						reach[d.got.Term]++
						f.checkFound(t, name, d, v)
					}
				}
			}
		}
	}
	for term := int32(TermNone); term < Terms; term++ {
		if possible := term != TermLoad && term != TermFar; possible && reach[term] < 5 {
			t.Errorf("term %d: decided only %d times of %v", term, reach[term], reach)
		}
	}
}

func (f *frozen) checkFound(t *testing.T, name string, d *found, v *View) {
	t.Helper()
	if want := f.wantTerm(d, v); d.got.Term != want {
		t.Fatalf("%s: CPU %d from %d, mask %v, key %v: told by term %d, want %d", name, d.got.CPU, d.c, d.req.Mask, d.got.Key, d.got.Term, want)
	}
	if d.got.Term == TermNone {
		return // found without the summaries
	}
	want := f.wantLines(d)
	for _, span := range f.s.groups.llc[:f.s.Topology.LLCs] {
		if span.hi-span.lo > 1 {
			return // it may have tried several groups of its own domain
		}
	}
	if d.lines > want+d.refused || d.lines < want || d.near >= 0 && d.lines != want+d.refused {
		t.Fatalf("%s: CPU %d from %d, near %v, mask %v, key %v: read %d lines, refused %d, want %d lines",
			name, d.got.CPU, d.c, d.req.Near, d.req.Mask, d.got.Key, d.lines, d.refused, want)
	}
}
