package cpu

import "testing"

// checkTree fails the test unless t is a tree with dense numbers whose masks,
// ranges and orders agree with its positions.
func checkTree(t interface {
	Helper()
	Fatalf(string, ...any)
}, top *Topology) {
	t.Helper()
	parentOf := make(map[[2]int32]int32)
	inside := func(kind string, level, child, parent, count int32) {
		if child < 0 || child >= count {
			t.Fatalf("%s %d of %d: not dense", kind, child, count)
		}
		if was, seen := parentOf[[2]int32{level, child}]; seen && was != parent {
			t.Fatalf("%s %d lies in %d and %d of the level above", kind, child, was, parent)
		}
		parentOf[[2]int32{level, child}] = parent
	}
	rank := make(map[int32]int32)
	var cores, llcs [Max]Mask
	for c := ID(0); c < ID(top.Count); c++ {
		at := top.At[c]
		inside("core", 0, at.Core, at.LLC, int32(top.Cores))
		inside("LLC domain", 1, at.LLC, at.Node, int32(top.LLCs))
		inside("node", 2, at.Node, at.Package, int32(top.Nodes))
		inside("package", 3, at.Package, 0, int32(top.Packages))
		if at.SMT != rank[at.Core] {
			t.Fatalf("CPU %d has rank %d in core %d, want %d", c, at.SMT, at.Core, rank[at.Core])
		}
		rank[at.Core]++
		cores[at.Core].Set(c)
		llcs[at.LLC].Set(c)
	}
	if want := top.Cores + top.LLCs + top.Nodes + top.Packages; len(parentOf) != want {
		t.Fatalf("%d groups have CPUs, %d are counted", len(parentOf), want)
	}
	for i := range cores {
		if cores[i] != *top.CoreMask(int32(i)) {
			t.Fatalf("core %d is %s, its mask %s", i, &cores[i], top.CoreMask(int32(i)))
		}
		if llcs[i] != *top.LLCMask(int32(i)) {
			t.Fatalf("LLC domain %d is %s, its mask %s", i, &llcs[i], top.LLCMask(int32(i)))
		}
	}
	for c := ID(0); c < ID(top.Count); c++ {
		if top.CoreSize(c) != top.Siblings(c).Count() || top.LLCSize(c) != top.Near(c).Count() {
			t.Fatalf("CPU %d: sizes %d %d, masks %s %s", c, top.CoreSize(c), top.LLCSize(c), top.Siblings(c), top.Near(c))
		}
	}
}

func TestAnEmptyMachineIsAnEmptyTree(t *testing.T) {
	top := new(Topology)
	Build(top, nil)
	checkTree(t, top)
	if n := AppendTree(nil, top); n != 0 {
		t.Errorf("its tree takes %d bytes", n)
	}
}
