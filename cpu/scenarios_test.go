package cpu

import "testing"

// The scenarios are named by their numbers in the collection of public reports
// on placement; each is a machine that made another scheduler fail.

func TestP21AnLLCOverTwoNodesIsCutAtTheNode(t *testing.T) {
	m := zen(8, 3)
	m.levels26 = nil
	m.node = func(apic uint32) uint32 { return apic / 4 }
	top := m.build(t, ids(0, 7)...)
	wantTree(t, top, "0,1 2,3 / 4,5 6,7", NoteLLCCut)
	if top.Nodes != 2 {
		t.Errorf("%d nodes, want 2", top.Nodes)
	}
}

func TestP21WithoutL3OnSomeCPUsTheNextLowerLevelHolds(t *testing.T) {
	with, without := zen(4, 3), zen(4, 3)
	with.levels26, without.levels26 = nil, nil
	without.amdL3 = 0
	with.smt, with.pack, without.smt, without.pack = 1, 4, 1, 4
	locs := append(with.locate(t, ids(0, 3)), without.locate(t, ids(4, 7))...)
	// The number of this L3 is that of an L2 before: they are no one's equal.
	locs = append(locs, with.locate(t, ids(8, 11))...)
	top := new(Topology)
	Build(top, locs)
	checkTree(t, top)
	wantTree(t, top, "0,1 2,3 / 4,5 / 6,7 / 8,9 10,11", NoteNoL3)
}

func TestP21AnL3OnTheFirstFourCPUsLeavesTheOthersTheirL2(t *testing.T) {
	with, without := zen(4, 3), zen(4, 3)
	with.levels26, without.levels26 = nil, nil
	without.amdL3 = 0
	locs := append(with.locate(t, ids(0, 3)), without.locate(t, ids(4, 7))...)
	top := new(Topology)
	Build(top, locs)
	checkTree(t, top)
	wantTree(t, top, "0,1 2,3 / 4,5 / 6,7", NoteNoL3)
	if top.Notes.Text() == "" || top.Notes.Rest() != 0 {
		t.Errorf("four CPUs without an L3 leave the notes %b: want one line for the log", top.Notes)
	}
}

func TestP22HolesInAPICIdsPadADomainToAPowerOfTwo(t *testing.T) {
	for _, width := range []int{6, 8} {
		m := zen(width, 4)
		top := m.build(t, append(ids(0, 5), ids(8, 13)...)...)
		wantTree(t, top, "0,1 2,3 4,5 / 6,7 8,9 10,11", 0)
	}
}

func TestP22DenseIdsAgainstACacheIdJoinNothingThatEitherSplits(t *testing.T) {
	var locs []Location
	for apic := range uint32(12) {
		locs = append(locs, Location{
			APIC: apic,
			Core: Key{apic/2 + 1},
			LLC:  Key{apic/8 + 1, apic/6 + 1}, // width 8 against an id that says 6 + 6
		})
	}
	top := new(Topology)
	Build(top, locs)
	checkTree(t, top)
	wantTree(t, top, "0,1 2,3 4,5 / 6,7 / 8,9 10,11", NoteLLCSplit)
}

func TestP23SparseNumbersBecomeDense(t *testing.T) {
	var locs []Location
	for _, llc := range []uint32{0, 3, 64} {
		for thread := range uint32(4) {
			apic := 300 + 16*llc + thread
			locs = append(locs, Location{APIC: apic, Core: Key{apic >> 1}, LLC: Key{llc}})
		}
	}
	top := new(Topology)
	Build(top, locs)
	checkTree(t, top)
	wantTree(t, top, "0,1 2,3 / 4,5 6,7 / 8,9 10,11", 0)
	if top.At[11].APIC != 300+16*64+3 {
		t.Errorf("APIC id of CPU 11 is %d", top.At[11].APIC)
	}
}

func TestP23CoreNumbersRepeatedInEveryPackageStayApart(t *testing.T) {
	var locs []Location
	for pack := range uint32(4) {
		for thread := range uint32(2) {
			locs = append(locs, Location{APIC: 1<<20*pack + thread, Package: Key{pack * 7}, LLC: Key{pack}})
		}
	}
	top := new(Topology)
	Build(top, locs)
	checkTree(t, top)
	wantTree(t, top, "0,1 / 2,3 / 4,5 / 6,7", 0)
	if top.Packages != 4 {
		t.Errorf("%d packages, want 4", top.Packages)
	}
}

func TestP23X2APICIdsBeyondAByte(t *testing.T) {
	m := zen(4, 9)
	wantTree(t, m.build(t, 0, 1, 510, 511, 300, 301, 302, 303), "0,1 / 2,3 / 4,5 6,7", 0)
}

func TestP23OneCorePerPackageWithAHoleAmongThem(t *testing.T) {
	// Packages of one core, x2APIC ids from 300 on; the third of five is disabled
	// and so not listed.
	m := zen(1, 4)
	m.smt, m.topoThreads, m.amdL2, m.levels26 = 0, 1, 1, nil
	top := m.build(t, 304, 320, 352, 368)
	wantTree(t, top, "0 / 1 / 2 / 3", 0)
	if top.Packages != 4 || top.Cores != 4 {
		t.Errorf("%d packages, %d cores, want 4 of each", top.Packages, top.Cores)
	}
	for c, apic := range []uint32{304, 320, 352, 368} {
		if top.At[c].APIC != apic || top.CoreSize(ID(c)) != 1 {
			t.Errorf("CPU %d has APIC id %d and %d siblings", c, top.At[c].APIC, top.CoreSize(ID(c)))
		}
	}
}

func TestP23NoSizeFollowsTheHighestId(t *testing.T) {
	m := zen(4, 9)
	low := m.build(t, 0, 1, 2, 3)
	high := m.build(t, 0xFFFF_FFF0, 0xFFFF_FFF1, 0xFFFF_FFF2, 0xFFFF_FFF3)
	if treeOf(low) != treeOf(high) || high.Count != 4 || high.At[3].Core != 1 {
		t.Errorf("ids from 0 give %s, the highest ones %s", treeOf(low), treeOf(high))
	}
}

func TestP24ADomainInsideACoreIsDroppedAndTheCoreWins(t *testing.T) {
	m := zen(1, 3)
	m.levels26 = nil
	m.amdL2 = 1
	wantTree(t, m.build(t, ids(0, 3)...), "0,1 / 2,3", NoteLLCCrossed)
}

func TestP24CrossingGroupsAreDroppedAndOthersStay(t *testing.T) {
	locs := make([]Location, 8)
	for i := range locs {
		locs[i] = Location{APIC: uint32(i), Core: Key{uint32(i / 2)}, LLC: Key{uint32(i / 4)}}
	}
	locs[0].LLC, locs[1].LLC, locs[2].LLC, locs[3].LLC = Key{10}, Key{11}, Key{10}, Key{11}
	top := new(Topology)
	Build(top, locs)
	checkTree(t, top)
	wantTree(t, top, "0,1 / 2,3 / 4,5 6,7", NoteLLCCrossed)
}

func TestP24ANodeThatSplitsACoreIsDropped(t *testing.T) {
	locs := make([]Location, 6)
	for i := range locs {
		locs[i] = Location{APIC: uint32(i), Core: Key{uint32(i / 2)}, Node: Key{uint32(i) / 3}}
	}
	top := new(Topology)
	Build(top, locs)
	checkTree(t, top)
	if top.Nodes != 3 || top.Notes != NoteNodeCrossed|NoteLLCCut {
		t.Errorf("%d nodes, notes %b", top.Nodes, top.Notes)
	}
}
