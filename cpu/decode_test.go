package cpu

import "testing"

// machine describes a CPU whose words are made, not recorded: widths of APIC ids
// by source, -1 for a source that is silent.
type machine struct {
	smt, pack        int    // leaf 0xB
	amdL3, intelL3   int    // CPUs that share the L3: leaf 0x8000001D, leaf 4
	amdL2, intelL2   int    // the same for the L2
	topo             bool   // leaf 0x8000001E
	topoThreads      uint32 // its CPUs per core
	node             func(apic uint32) uint32
	levels26         []shiftAt
	levels1F         []shiftAt
	saysAPIC         func(apic uint32) uint32
	basicMax, extMax uint32
	sizes            uint32 // ECX of leaf 0x80000008
}

// shiftAt is an entry of a level list.
type shiftAt struct{ kind, shift uint32 }

func same(apic uint32) uint32 { return apic }
func zero(uint32) uint32      { return 0 }

// silent is a CPU that tells nothing beyond its maxima.
func silent() machine {
	return machine{smt: -1, pack: -1, node: zero, saysAPIC: same, basicMax: 0x1F, extMax: 0x80000028}
}

func (m *machine) words(apic uint32) map[Query]Registers {
	w := map[Query]Registers{{}: {EAX: m.basicMax}, {Leaf: leafExtMax}: {EAX: m.extMax}}
	says := m.saysAPIC(apic)
	w[Query{Leaf: leafBasic}] = Registers{EBX: says << 24, EDX: 1 << 28}
	w[Query{Leaf: leafExtSizes}] = Registers{ECX: m.sizes}
	if m.smt >= 0 {
		m.list(w, leafLevels, []shiftAt{{1, uint32(m.smt)}, {2, uint32(m.pack)}}, says)
	}
	m.list(w, leafLevelsV2, m.levels1F, says)
	m.list(w, leafExtLevels, m.levels26, says)
	m.caches(w, leafExtCaches, m.amdL2, m.amdL3)
	m.caches(w, leafCaches, m.intelL2, m.intelL3)
	if m.topo {
		w[Query{Leaf: leafExtTopo}] = Registers{says, (m.topoThreads - 1) << 8, m.node(apic), 0}
	}
	return w
}

func (m *machine) list(w map[Query]Registers, leaf uint32, entries []shiftAt, apic uint32) {
	for i, e := range entries {
		w[Query{leaf, uint32(i)}] = Registers{e.shift, 1, uint32(i) | e.kind<<8, apic}
	}
}

// caches lists the three caches of level 1 and 2 and, where shared by any, the
// last one.
func (m *machine) caches(w map[Query]Registers, leaf uint32, l2, l3 int) {
	if l2 == 0 && l3 == 0 {
		return
	}
	share := func(kind, level, by int) Registers { return Registers{EAX: uint32(kind | level<<5 | (by-1)<<14)} }
	w[Query{leaf, 0}] = share(1, 1, max(l2, 1))
	w[Query{leaf, 1}] = share(2, 1, max(l2, 1))
	w[Query{leaf, 2}] = share(3, 2, max(l2, 1))
	if l3 != 0 {
		w[Query{leaf, 3}] = share(3, 3, l3)
	}
}

// locate decodes what CPUs with these APIC ids would say.
func (m *machine) locate(t *testing.T, apics []uint32) []Location {
	var locs []Location
	for _, apic := range apics {
		r := recording{apic, m.words(apic)}
		locs = append(locs, Decode(r.leaves(t), apic))
	}
	return locs
}

func (m *machine) build(t *testing.T, apics ...uint32) *Topology {
	top := new(Topology)
	Build(top, m.locate(t, apics))
	checkTree(t, top)
	return top
}

func ids(first, last uint32) []uint32 {
	var list []uint32
	for id := first; id <= last; id++ {
		list = append(list, id)
	}
	return list
}

func wantTree(t *testing.T, top *Topology, tree string, notes Notes) {
	t.Helper()
	if got := treeOf(top); got != tree {
		t.Errorf("tree is %s, want %s", got, tree)
	}
	if top.Notes != notes {
		t.Errorf("notes %b, want %b", top.Notes, notes)
	}
}

// zen is an AMD CPU of SMT cores, whose level leaves and cache leaf agree.
func zen(l3, socket int) machine {
	m := silent()
	m.smt, m.pack = 1, socket
	m.amdL2, m.amdL3 = 2, l3
	m.topo, m.topoThreads = true, 2
	complexShift := widthOf(uint32(l3 - 1))
	m.levels26 = []shiftAt{{levelCore, 1}, {levelComplex, complexShift}, {levelAMDDie, complexShift}, {4, uint32(socket)}}
	return m
}

func TestZen4AgreesWithItself(t *testing.T) {
	m := zen(4, 3)
	wantTree(t, m.build(t, ids(0, 7)...), "0,1 2,3 / 4,5 6,7", 0)
}

func TestTheComplexOfTheLevelLeafSufficesWithoutCacheLeaf(t *testing.T) {
	m := zen(4, 3)
	m.amdL2, m.amdL3 = 0, 0
	wantTree(t, m.build(t, ids(0, 7)...), "0,1 2,3 / 4,5 6,7", 0)
}

func TestTwoComplexesInOneDieAreTwoDomains(t *testing.T) {
	m := zen(4, 3)
	m.levels26 = []shiftAt{{levelCore, 1}, {levelComplex, 2}, {levelAMDDie, 3}, {4, 3}}
	wantTree(t, m.build(t, ids(0, 7)...), "0,1 2,3 / 4,5 6,7", 0)
}

func TestNeitherSourceJoinsWhatTheOtherSplits(t *testing.T) {
	wide := zen(8, 3) // the cache leaf is right, the complex is said to be narrower
	wide.levels26 = []shiftAt{{levelCore, 1}, {levelComplex, 2}, {4, 3}}
	wantTree(t, wide.build(t, ids(0, 7)...), "0,1 2,3 / 4,5 6,7", NoteLLCSplit)
	narrow := zen(4, 3) // and the other way round
	narrow.levels26 = []shiftAt{{levelCore, 1}, {levelComplex, 3}, {4, 3}}
	wantTree(t, narrow.build(t, ids(0, 7)...), "0,1 2,3 / 4,5 6,7", NoteLLCSplit)
}

func TestADieMayHoldSeveralDomainsWithoutContradiction(t *testing.T) {
	m := zen(4, 4)
	m.levels26 = []shiftAt{{levelCore, 1}, {levelAMDDie, 3}, {4, 4}}
	wantTree(t, m.build(t, ids(0, 7)...), "0,1 2,3 / 4,5 6,7", 0)
	m.levels26 = []shiftAt{{levelCore, 1}, {levelAMDDie, 1}, {4, 4}} // but not cut one
	wantTree(t, m.build(t, ids(0, 3)...), "0,1 / 2,3", NoteLLCSplit)
}

func TestAContradictionBetweenTheCacheLeavesNarrows(t *testing.T) {
	m := zen(8, 4)
	m.levels26 = nil
	m.intelL2, m.intelL3 = 2, 4
	wantTree(t, m.build(t, ids(0, 7)...), "0,1 2,3 / 4,5 6,7", NoteLLCSplit)
}

func TestACacheLeafWithoutL3DoesNotNarrowOneThatHasIt(t *testing.T) {
	m := zen(8, 4)
	m.levels26 = nil
	m.intelL2 = 2
	wantTree(t, m.build(t, ids(0, 7)...), "0,1 2,3 4,5 6,7", 0)
}

func TestIntelDiesAndPackages(t *testing.T) {
	m := silent()
	m.extMax = 0x80000008
	m.smt, m.pack = 1, 4
	m.intelL2, m.intelL3 = 2, 8
	m.levels1F = []shiftAt{{1, 1}, {2, 3}, {levelDie, 4}}
	top := m.build(t, append(ids(0, 15), ids(16, 19)...)...)
	wantTree(t, top, "0,1 2,3 4,5 6,7 / 8,9 10,11 12,13 14,15 / 16,17 18,19", 0)
	if top.Nodes != 3 || top.Packages != 2 {
		t.Errorf("%d nodes, %d packages", top.Nodes, top.Packages)
	}
}

func TestOldIntelCountsThreadsAndCores(t *testing.T) {
	m := silent()
	m.basicMax, m.extMax = 4, 0x80000008
	m.intelL2, m.intelL3 = 2, 8
	w := func(apic uint32) map[Query]Registers {
		words := m.words(apic)
		words[Query{Leaf: leafBasic}] = Registers{EBX: 8 << 16, EDX: 1 << 28}
		for sub := uint32(0); sub < 4; sub++ {
			r := words[Query{leafCaches, sub}]
			r.EAX |= 3 << 26 // four cores
			words[Query{leafCaches, sub}] = r
		}
		return words
	}
	var locs []Location
	for _, apic := range ids(0, 9) {
		r := recording{apic, w(apic)}
		locs = append(locs, Decode(r.leaves(t), apic))
	}
	top := new(Topology)
	Build(top, locs)
	wantTree(t, top, "0,1 2,3 4,5 6,7 / 8,9", 0)
	if top.Packages != 2 {
		t.Errorf("%d packages, want 2", top.Packages)
	}
}

func TestALevelListThatShrinksIsReadUpToThere(t *testing.T) {
	m := zen(4, 3)
	m.levels26 = []shiftAt{{levelCore, 1}, {levelComplex, 2}, {levelAMDDie, 1}, {4, 3}}
	wantTree(t, m.build(t, ids(0, 3)...), "0,1 2,3", NoteLevelsShrink)
}

func TestATopologyLeafOfAnotherCPUIsIgnored(t *testing.T) {
	m := zen(16, 4)
	m.topoThreads = 1 // would split the cores, if it were believed
	m.saysAPIC = zero
	m.node = same // would split the domain
	wantTree(t, m.build(t, 2, 3, 4, 5), "0,1 2,3", NoteAPICDiffers|NoteTopoOther)
}

func TestATopologyLeafOfZerosSplitsNothingFromTheFirstCPU(t *testing.T) {
	m := zen(4, 3)
	m.topo = false // within the maximum, but empty
	top := m.build(t, ids(0, 7)...)
	wantTree(t, top, "0,1 2,3 / 4,5 6,7", NoteTopoOther)
	if top.Nodes != 1 {
		t.Errorf("%d nodes, want 1", top.Nodes)
	}
}

func TestWithoutAnyTrustedSourceEveryCPUIsACore(t *testing.T) {
	m := silent()
	m.basicMax = 5
	m.topo, m.topoThreads = true, 2
	m.amdL3 = 4
	m.sizes = 3 << 12
	m.saysAPIC = func(apic uint32) uint32 { return min(apic, 4) } // right up to 4
	wantTree(t, m.build(t, ids(0, 7)...), "0 1 2 3 / 4 5 6 7", NoteTopoOther)
	m.saysAPIC = same
	wantTree(t, m.build(t, ids(0, 7)...), "0,1 2,3 / 4,5 6,7", 0)
}

func TestCoreSourcesThatDisagreeNarrow(t *testing.T) {
	m := zen(8, 3)
	m.topoThreads = 1
	wantTree(t, m.build(t, ids(0, 3)...), "0 1 2 3", NoteCoreSplit)
}

func TestACPUThatSaysNothingStandsAlone(t *testing.T) {
	m := silent()
	m.basicMax, m.extMax = 1, 0
	top := m.build(t, ids(0, 3)...)
	wantTree(t, top, "0 / 1 / 2 / 3", NoteNoL3)
	if top.Packages != 4 {
		t.Errorf("%d packages, want one a CPU", top.Packages)
	}
}

func TestMaxCPUsOfBothKinds(t *testing.T) {
	m := zen(16, 9)
	top := m.build(t, ids(0, 1023)...)
	if top.Count != 1024 || top.Cores != 512 || top.LLCs != 64 || top.Packages != 2 || top.Notes != 0 {
		t.Errorf("%d CPUs, %d cores, %d LLCs, %d packages, notes %b", top.Count, top.Cores, top.LLCs, top.Packages, top.Notes)
	}
	one := zen(1, 10)
	one.smt, one.topoThreads, one.amdL2 = 0, 1, 1
	one.levels26 = nil
	top = one.build(t, ids(0x10000, 0x10000+1023)...)
	if top.Cores != 1024 || top.LLCs != 1024 || top.Packages != 1 || top.Notes != 0 {
		t.Errorf("%d cores, %d LLCs, %d packages, notes %b", top.Cores, top.LLCs, top.Packages, top.Notes)
	}
}

func TestSMTSwitchedOffLeavesSingleCores(t *testing.T) {
	m := zen(8, 4)
	wantTree(t, m.build(t, 0, 2, 4, 6, 8, 10, 12, 14), "0 1 2 3 / 4 5 6 7", 0)
}
