package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
)

// reads counts what do makes CPU c read.
func (r *rig) reads(what string, c cpu.ID, lines, refused uint64, do func()) {
	r.t.Helper()
	l, n := r.s.Lines(c)
	do()
	more, again := r.s.Lines(c)
	r.want(what+": lines read", more-l, lines)
	r.want(what+": refused", again-n, refused)
}

// proposes checks what a search proposes, and what it reads for that.
func (r *rig) proposes(what string, c cpu.ID, req Request, want cpu.ID, term int32, lines, refused uint64) {
	r.t.Helper()
	if req.Context == 0 {
		req.Context = r.context(process.Fair)
	}
	req.Process = image
	r.reads(what, c, lines, refused, func() {
		p, ok := r.s.Place(c, r.now, &req, nil)
		if !ok || p.CPU != want || p.Term != term {
			r.t.Errorf("%s: %v, CPU %d by term %d with key %v, want %d by term %d", what, ok, p.CPU, p.Term, p.Key, want, term)
		}
	})
}

// propose is what a search proposes for a thread near its spawner.
func (r *rig) propose(c cpu.ID) Placement {
	p, _ := r.s.Place(c, r.now, &Request{Context: r.context(process.Fair), Process: image, Near: true}, nil)
	return p
}

// runs makes a machine some of whose CPUs run something.
func runs(t *testing.T, name string, cpus ...cpu.ID) *rig {
	t.Helper()
	r := newRig(t, shape(t, name))
	for _, c := range cpus {
		r.start(c, process.Fair)
	}
	return r
}

func TestTheLinesThatASearchReads(t *testing.T) {
	near := Request{Near: true}
	r := runs(t, "L(2)x80", 100, 101, 102)
	r.s.locals[100].start = 101
	r.proposes("the spawner's domain has none: hints, a summary, a handle", 100, near, 103, TermDistance, 3, 0)
	r.proposes("nor are those of the asker counted of a stranger", 102, Request{}, 0, TermDistance, 3, 0)
	r.proposes("its own domain costs nothing", 102, near, 103, TermAwake, 0, 0)
	r.proposes("a stranger in his own domain reads the hints", 0, Request{}, 0, TermDistance, 1, 0)
	m := only(7, 9)
	r.proposes("of a mask: hints, a summary, a handle", 0, Request{Mask: &m}, 7, TermDistance, 3, 0)
	m = only(7)
	r.proposes("one CPU is asked without the summaries", 0, Request{Mask: &m}, 7, TermNone, 1, 0)
	m = only(100, 101)
	r.proposes("a mask without a free CPU: hints, handles", 0, Request{Mask: &m}, 100, TermDistance, 3, 0)
	r = runs(t, "L(2,2)s2", 0, 1, 2)
	r.proposes("a core of its own: the sibling's handle, too", 0, near, 3, TermDistance, 4, 0)
}

// A group of which the hints say that it has nothing of a level is not read.
func TestAGroupWithoutACPUOfTheLevelIsNotRead(t *testing.T) {
	near := Request{Near: true}
	r := runs(t, "L(1)x5", 0, 1)
	r.park(1) // a home
	r.proposes("homes", 0, near, 2, TermDistance, 3, 0)
	r = runs(t, "L(1)x5", 0)
	r.s.SetSlowness(1, 100)
	r.proposes("slow CPUs", 0, near, 2, TermDistance, 3, 0)
	r = runs(t, "L(1)x5", 0)
	r.latency(1, 1000)
	r.latency(2, 1000)
	r.proposes("deep sleepers", 0, near, 3, TermDistance, 3, 0)
	r = runs(t, "L(1)x3s2", 0, 1)
	r.proposes("shared cores", 0, near, 2, TermDistance, 4, 0)
}

// Of the group where the rotation begins, the CPUs from there on come first and the rest
// last: without an allowed one among the rest it is not read again.
func TestARoundEndsWithTheRestOfItsFirstGroup(t *testing.T) {
	r := runs(t, "L(2)x5", 0, 3, 8)
	r.s.locals[0].start = 3
	m := only(3, 8)
	// Hints, two groups without a CPU of its own core and again without one of a shared
	// core, and the handles of both CPUs.
	r.proposes("no free CPU", 0, Request{Mask: &m}, 3, TermDistance, 7, 4)
	m = only(2, 3, 8)
	r.proposes("a free one before the start", 0, Request{Mask: &m}, 2, TermDistance, 5, 2)
}

// What a summary promised and a handle refuses is counted, and the search goes on.
func TestARefusalIsCounted(t *testing.T) {
	r := runs(t, "L(1)x4", 0)
	r.s.handles[1].idle.Store(uint32(Kicked))
	r.proposes("a CPU that is kicked", 0, Request{Near: true}, 2, TermDistance, 5, 2)
	r = runs(t, "L(4)", 0)
	r.s.handles[1].idle.Store(uint32(Kicked))
	r.proposes("a CPU of the own domain", 0, Request{Near: true}, 2, TermDistance, 0, 1)
	r = runs(t, "L(3)s2", 0)
	r.s.handles[4].idle.Store(uint32(Kicked))
	r.proposes("a sibling", 0, Request{Near: true}, 2, TermDistance, 0, 1)
	r = runs(t, "L(3)s2", 1)
	r.s.handles[0].idle.Store(uint32(Kicked))
	r.s.locals[1].start = 3
	r.proposes("the first CPU as a sibling", 1, Request{Near: true}, 5, TermDistance, 0, 1)
}

// If none is free the CPUs of the mask are read, up to 64 of them.
func TestTheLinesThatAPlacementReadsIfNoneIsFree(t *testing.T) {
	all := func(n int) (cpus []cpu.ID) {
		for c := range cpu.ID(n) {
			cpus = append(cpus, c)
		}
		return cpus
	}
	r := runs(t, "L(1)x8", all(8)...)
	r.proposes("hints and the others", 3, Request{Near: true}, 3, TermFar, 8, 0)
	r = runs(t, "L(2)x32", all(64)...)
	for c := range cpu.ID(63) {
		r.pin(c, process.Fair, 63)
	}
	r.proposes("64 are all read", 0, Request{Near: true}, 63, TermLoad, 63, 0)
	r = runs(t, "L(1)x65", all(65)...)
	r.proposes("of 65, its own and three: hints and those", 5, Request{Near: true}, 5, TermFar, 4, 0)
}

func TestAPushReadsAsManyLinesAsASearch(t *testing.T) {
	r := runs(t, "L(1)x60", 0)
	var q query
	var a answer
	r.s.queryFor(0, r.now, r.context(process.Fair), &q)
	r.reads("a search for a free CPU", 0, 3, 0, func() { r.want("found", r.s.anyFree(&q, &a), true) })
	r.want("which", a.cpu, cpu.ID(1))
}

// Where the summaries tell nothing a CPU that is free is told by its handle.
func TestAnyFreeWithoutSummaries(t *testing.T) {
	r := runs(t, "L(2)s4", 0, 1, 2, 3, 4, 5)
	var q query
	var a answer
	id := r.context(process.Fair)
	found := func(what string, want bool, c cpu.ID) {
		t.Helper()
		r.s.queryFor(0, r.now, id, &q)
		r.want(what, r.s.anyFree(&q, &a), want)
		r.want(what+": CPU", a.cpu, c)
	}
	found("a CPU whose siblings are busy", true, 6)
	r.start(6, process.Fair)
	r.start(7, process.Fair)
	found("CPUs that run something", false, 0)
	for c := range cpu.ID(8) {
		for range 16 {
			r.pin(c, process.Fair, 0)
		}
	}
	found("CPUs with a load of 16", false, 0)
}

func TestAMaskOfOneCPU(t *testing.T) {
	for _, of := range []struct {
		cpus []cpu.ID
		want bool
	}{
		{nil, true}, {[]cpu.ID{0}, true}, {[]cpu.ID{1}, true}, {[]cpu.ID{63}, true}, {[]cpu.ID{64}, true}, {[]cpu.ID{1023}, true},
		{[]cpu.ID{0, 1}, false}, {[]cpu.ID{1, 2}, false}, {[]cpu.ID{0, 64}, false}, {[]cpu.ID{1, 65}, false}, {[]cpu.ID{3, 1023}, false},
	} {
		if m := only(of.cpus...); single(&m) != of.want {
			t.Errorf("single of %v is %v", of.cpus, !of.want)
		}
	}
}

func TestASpansPartOfAWord(t *testing.T) {
	for _, n := range []groupSpan{{-1, -1}, {0, 1}, {0, 64}, {3, 70}, {63, 64}, {64, 65}, {62, 66}, {100, 128}, {127, 300}, {0, 1024}} {
		for w := range int32(5) {
			want := uint64(0)
			for g := max(n.lo, 64*w); g < min(n.hi, 64*w+64); g++ {
				want |= 1 << (g - 64*w)
			}
			if got := n.word(w); got != want {
				t.Errorf("word %d of %v is %#x, want %#x", w, n, got, want)
			}
		}
	}
}

// A sample is of the asker's group and three others, and ends once it has more CPUs than
// a placement would read of a small mask.
func TestASampleIsBounded(t *testing.T) {
	for _, of := range []struct {
		name string
		from cpu.ID
		want int
	}{
		{"L(40)x10", 0, 80}, {"L(32)x10", 0, 96}, {"L(64)x4", 0, 128}, {"L(8)x64", 0, 32},
		{"L(20)x4", 20, 80}, {"L(8)x6", 40, 32}, // round the machine's end
	} {
		s := new(Scheduler)
		s.Init(shape(t, of.name))
		q := query{asker: of.from, start: of.from}
		s.scratch(&q).SetAll(1024)
		var m cpu.Mask
		s.sample(&q, &m)
		if m.Count() != of.want {
			t.Errorf("%s from CPU %d: %d CPUs, want %d", of.name, of.from, m.Count(), of.want)
		}
	}
}
