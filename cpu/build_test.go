package cpu

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// drawLocations draws machines whose sources contradict each other at will.
func drawLocations(t *rapid.T) []Location {
	n := rapid.IntRange(0, 40).Draw(t, "CPUs")
	locs := make([]Location, n)
	number := rapid.Uint32Range(0, 3)
	for i := range locs {
		locs[i] = Location{
			APIC:    uint32(i) * 3,
			Package: Key{number.Draw(t, "package") / 2},
			Node:    Key{number.Draw(t, "node") / 2},
			LLC:     Key{number.Draw(t, "LLC"), number.Draw(t, "LLC by another") / 3},
			Core:    Key{number.Draw(t, "core"), number.Draw(t, "core by another") / 3},
		}
	}
	return locs
}

func TestAnyLocationsBuildATreeThatJoinsNothingSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		locs := drawLocations(t)
		top := new(Topology)
		Build(top, locs)
		checkTree(t, top)
		checkNothingJoined(t, top, locs)
	})
}

// checkNothingJoined fails the test if CPUs share a group that a source splits.
// CPUs of one core share its domain and node whatever these levels' sources say.
func checkNothingJoined(t interface {
	Helper()
	Fatalf(string, ...any)
}, top *Topology, locs []Location) {
	t.Helper()
	for i := range locs {
		for j := range i {
			a, b := top.At[i], top.At[j]
			if a.Package == b.Package && locs[i].Package != locs[j].Package {
				t.Fatalf("CPUs %d and %d share a package that %v and %v split", i, j, locs[i].Package, locs[j].Package)
			}
			if a.Core == b.Core && !top.same(&locs[i], &locs[j], cores) {
				t.Fatalf("CPUs %d and %d share a core that %v and %v split", i, j, locs[i].Core, locs[j].Core)
			}
			if a.Core != b.Core && a.LLC == b.LLC && locs[i].LLC != locs[j].LLC {
				t.Fatalf("CPUs %d and %d share a domain that %v and %v split", i, j, locs[i].LLC, locs[j].LLC)
			}
			if a.Core != b.Core && a.Node == b.Node && !top.same(&locs[i], &locs[j], nodes) {
				t.Fatalf("CPUs %d and %d share a node that %v and %v split", i, j, locs[i].Node, locs[j].Node)
			}
		}
	}
}

func TestRenumberingTheCPUsRenumbersTheTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		locs := drawLocations(t)
		order := make([]int, len(locs))
		for i := range order {
			order[i] = i
		}
		order = rapid.Permutation(order).Draw(t, "order")
		shuffled := make([]Location, len(locs))
		for i, from := range order {
			shuffled[i] = locs[from]
		}
		one, two := new(Topology), new(Topology)
		Build(one, locs)
		Build(two, shuffled)
		if one.Notes != two.Notes || one.Cores != two.Cores || one.LLCs != two.LLCs || one.Nodes != two.Nodes {
			t.Fatalf("notes %b and %b, %d and %d cores, %d and %d domains, %d and %d nodes", one.Notes, two.Notes,
				one.Cores, two.Cores, one.LLCs, two.LLCs, one.Nodes, two.Nodes)
		}
		for i := range order {
			for j := range i {
				a, b := one.At[order[i]], one.At[order[j]]
				c, d := two.At[i], two.At[j]
				if (a.Core == b.Core) != (c.Core == d.Core) || (a.LLC == b.LLC) != (c.LLC == d.LLC) ||
					(a.Node == b.Node) != (c.Node == d.Node) || (a.Package == b.Package) != (c.Package == d.Package) {
					t.Fatalf("CPUs %d, %d: %+v %+v, renumbered %+v %+v", order[i], order[j], a, b, c, d)
				}
			}
		}
	})
}

func TestConsistentSourcesLeaveNoNotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var locs []Location
		for i := range rapid.IntRange(1, 64).Draw(t, "CPUs") {
			id := uint32(i)
			locs = append(locs, Location{APIC: id, Core: Key{id/2 + 1, id/2 + 1}, LLC: Key{id/8 + 1, id/8 + 1, id/32 + 1},
				Node: Key{id / 16}, Package: Key{id/32 + 1, id/32 + 1}, Bound: 1 << byLevels})
		}
		top := new(Topology)
		Build(top, locs)
		checkTree(t, top)
		if n := uint32(len(locs)); top.Notes != 0 || top.LLCs != int(n+7)/8 || top.Cores != int(n+1)/2 {
			t.Fatalf("notes %b, %d domains, %d cores of %d CPUs", top.Notes, top.LLCs, top.Cores, n)
		}
	})
}

func TestBuildAgainForgetsTheLastMachine(t *testing.T) {
	top, err := ParseShape("L(8)x8s2")
	if err != nil {
		t.Fatal(err)
	}
	Build(top, shapeLocations([]uint32{2, 1}, 1))
	checkTree(t, top)
	wantTree(t, top, "0 1 / 2", 0)
	for core := range int32(Max) {
		if core >= 3 && !top.CoreMask(core).IsEmpty() || core >= 2 && !top.LLCMask(core).IsEmpty() {
			t.Fatalf("group %d is left over", core)
		}
	}
}

func TestTooManyCPUsPanic(t *testing.T) {
	defer func() {
		if recover() != &faultTooMany {
			t.Error("no panic about the number of CPUs")
		}
	}()
	Build(new(Topology), make([]Location, Max+1))
}

func TestKernelPiecesDoNotAllocate(t *testing.T) {
	m := zen(16, 9)
	words := recording{17, m.words(17)}
	locs := m.locate(t, ids(0, 63))
	top, l, full := new(Topology), words.leaves(t), new(Leaves)
	var f Features
	var buf [TreeBytes]byte
	var mask Mask
	var said string
	if n := testing.AllocsPerRun(10, func() {
		*full = Leaves{}
		for _, more := full.Next(); more; _, more = full.Next() {
			full.Record(0x10, 0, 0, 0)
		}
		locs[17] = Decode(l, 17)
		l.Features(&f)
		l.Floor()
		Build(top, locs)
		AppendTree(buf[:], top)
		mask.SetAll(100)
		mask.And(top.Near(3))
		top.Probe(mask.Next(4), 20)
		said = top.Notes.Text()
	}); n != 0 || said != "" {
		t.Errorf("%v allocations, notes %q", n, said)
	}
}

// FuzzDecode feeds CPUs with arbitrary words: whatever they are, reading them
// ends, and what comes out is a tree that joins nothing that a source splits.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0x20, 0, 0, 0})
	for _, cpus := range recordings(f) {
		f.Add(tape(cpus[:min(len(cpus), 6)]))
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		next := func() uint32 {
			var word [4]byte
			bytes = bytes[copy(word[:], bytes):]
			return binary.LittleEndian.Uint32(word[:])
		}
		var locs []Location
		for len(bytes) > 0 && len(locs) < 64 {
			apic := next()
			l := new(Leaves)
			steps := 0
			for _, more := l.Next(); more; _, more = l.Next() {
				l.Record(next(), next(), next(), next())
				if steps++; steps > maxWords {
					t.Fatalf("more than %d words are asked for", maxWords)
				}
			}
			var features Features
			l.Features(&features)
			l.Floor()
			locs = append(locs, Decode(l, apic))
		}
		top := new(Topology)
		Build(top, locs)
		checkTree(t, top)
		checkNothingJoined(t, top, locs)
		for notes, n := top.Notes, 0; notes != 0; notes, n = notes.Rest(), n+1 {
			if notes.Text() == "" || n > 32 {
				t.Fatalf("notes %b have no text", notes)
			}
		}
	})
}

// tape writes recorded CPUs as FuzzDecode reads them.
func tape(cpus []*recording) []byte {
	var out []byte
	for _, r := range cpus {
		out = binary.LittleEndian.AppendUint32(out, r.apic)
		l := new(Leaves)
		for q, more := l.Next(); more; q, more = l.Next() {
			w := r.words[q]
			l.Record(w.EAX, w.EBX, w.ECX, w.EDX)
			for _, word := range []uint32{w.EAX, w.EBX, w.ECX, w.EDX} {
				out = binary.LittleEndian.AppendUint32(out, word)
			}
		}
	}
	return out
}

func TestEveryNoteHasAText(t *testing.T) {
	seen := make(map[string]bool)
	for note := Notes(1); note < noteEnd; note <<= 1 {
		text := note.Text()
		if text == "" || seen[text] {
			t.Errorf("note %b says %q", note, text)
		}
		seen[text] = true
	}
	if got := Notes(0).Text(); got != "" {
		t.Errorf("no note says %q", got)
	}
}
