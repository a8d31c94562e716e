package cpu

// Key tells the groups of one level apart: two CPUs are in the same group only
// if every word agrees. Each word comes from another source, so that no source
// can join what another one splits; a source that is silent leaves its word 0.
type Key [3]uint32

func (k *Key) same(o *Key) bool { return k[0] == o[0] && k[1] == o[1] && k[2] == o[2] }

// Location is where the sources put one CPU: the input of Build, in any
// numbering. Core and Node are numbers within the package, LLC within the node,
// so repeated numbers in different packages are different groups.
type Location struct {
	APIC    uint32
	Core    Key
	LLC     Key
	Node    Key
	Package Key
	Bound   uint8 // bit i: LLC[i] only bounds the domain from above, it may be wider without contradiction
	Notes   Notes
}

// Notes is a set of findings about sources that disagree or lack data; the
// kernel logs each bit once.
type Notes uint32

const (
	// NoteLLCSplit: two sources draw the LLC domains differently; the domains
	// are those on which both agree.
	NoteLLCSplit Notes = 1 << iota
	// NoteLLCCut: an LLC domain reached over a node or a package and was cut there.
	NoteLLCCut
	// NoteLLCCrossed: an LLC domain held some CPUs of a core and not others; it
	// was dropped, its cores are domains of their own.
	NoteLLCCrossed
	// NoteNodeCrossed: the same for a node.
	NoteNodeCrossed
)

// Build makes t the tree of locs, of which entry i is the CPU with id i; at most
// Max entries, else it panics. It needs no memory of its own and takes time in
// the order of CPUs times groups.
func Build(t *Topology, locs []Location) {
	if len(locs) > Max {
		panic(&faultTooMany)
	}
	t.reset(len(locs))
	for i := range locs {
		t.Notes |= locs[i].Notes
		t.At[i].APIC = locs[i].APIC
	}
	t.groupPackages(locs)
	t.groupCores(locs)
	t.groupNodes(locs)
	t.groupLLCs(locs)
	t.noteSplits(locs)
	t.sortSlots()
	t.number()
}

var faultTooMany = fault{"cpu: a topology holds at most 1024 CPUs"}

// reset clears what the last Build of n or more CPUs left behind.
func (t *Topology) reset(n int) {
	for i := range t.coreMask {
		t.coreMask[i].Reset()
		t.llcMask[i].Reset()
	}
	t.Count, t.Cores, t.LLCs, t.Nodes, t.Packages, t.Notes = n, 0, 0, 0, 0, 0
}

// While Build groups, the numbers in At name a group by its lowest CPU: that
// needs no table of keys, and it sorts groups by first appearance.

func (t *Topology) groupPackages(locs []Location) {
	for i := range locs {
		t.At[i].Package = int32(i)
		for j := 0; j < i; j++ {
			if t.At[j].Package == int32(j) && locs[i].Package.same(&locs[j].Package) {
				t.At[i].Package = int32(j)
				break
			}
		}
	}
}

func (t *Topology) groupCores(locs []Location) {
	for i := range locs {
		t.At[i].Core = int32(i)
		for j := 0; j < i; j++ {
			if t.At[j].Core == int32(j) && t.At[i].Package == t.At[j].Package &&
				locs[i].Core.same(&locs[j].Core) {
				t.At[i].Core = int32(j)
				break
			}
		}
	}
}

func (t *Topology) groupNodes(locs []Location) {
	for i := range locs {
		t.At[i].Node = int32(i)
		for j := 0; j < i; j++ {
			if t.At[j].Node == int32(j) && t.At[i].Package == t.At[j].Package &&
				locs[i].Node.same(&locs[j].Node) {
				t.At[i].Node = int32(j)
				break
			}
		}
	}
	var crossed Mask
	for i := range locs {
		if own, core := t.At[i].Node, t.At[t.At[i].Core].Node; own != core {
			crossed.Set(ID(own))
			crossed.Set(ID(core))
			t.Notes |= NoteNodeCrossed
		}
	}
	for i := range locs {
		if crossed.Has(ID(t.At[i].Node)) {
			t.At[i].Node = t.At[i].Core
		}
	}
}

func (t *Topology) groupLLCs(locs []Location) {
	for i := range locs {
		t.At[i].LLC = int32(i)
		for j := 0; j < i; j++ {
			if t.At[j].LLC == int32(j) && t.At[i].Node == t.At[j].Node &&
				locs[i].LLC.same(&locs[j].LLC) {
				t.At[i].LLC = int32(j)
				break
			}
		}
	}
	var crossed Mask
	for i := range locs {
		if own, core := t.At[i].LLC, t.At[t.At[i].Core].LLC; own != core {
			crossed.Set(ID(own))
			crossed.Set(ID(core))
			t.Notes |= NoteLLCCrossed
		}
	}
	for i := range locs {
		if crossed.Has(ID(t.At[i].LLC)) {
			t.At[i].LLC = t.At[i].Core
		}
	}
}

// noteSplits records where the sources of the LLC domains disagree.
func (t *Topology) noteSplits(locs []Location) {}

// sortSlots lists the CPUs in the order of the tree. An insertion sort: firmware
// lists CPUs nearly in that order, and it needs no memory.
func (t *Topology) sortSlots() {
	for i := 0; i < t.Count; i++ {
		j := i
		for ; j > 0 && t.before(ID(i), t.slots[j-1]); j-- {
			t.slots[j] = t.slots[j-1]
		}
		t.slots[j] = ID(i)
	}
	for s := 0; s < t.Count; s++ {
		t.slot[t.slots[s]] = int32(s)
	}
}

// before orders CPUs by package, node, LLC domain, core and id.
func (t *Topology) before(a, b ID) bool {
	x, y := &t.At[a], &t.At[b]
	switch {
	case x.Package != y.Package:
		return x.Package < y.Package
	case x.Node != y.Node:
		return x.Node < y.Node
	case x.LLC != y.LLC:
		return x.LLC < y.LLC
	case x.Core != y.Core:
		return x.Core < y.Core
	}
	return a < b
}

// number replaces the names of groups by dense numbers in the order of the tree
// and fills the ranges and masks.
func (t *Topology) number() {
	var last Position
	for s := 0; s < t.Count; s++ {
		c := t.slots[s]
		at := &t.At[c]
		named := *at
		at.Package = open(&t.Packages, t.packages[:], s, named.Package != last.Package)
		at.Node = open(&t.Nodes, t.nodes[:], s, named.Node != last.Node)
		at.LLC = open(&t.LLCs, t.llcs[:], s, named.LLC != last.LLC)
		at.Core = open(&t.Cores, t.cores[:], s, named.Core != last.Core)
		at.SMT = int32(s) - t.cores[at.Core].lo
		t.coreMask[at.Core].Set(c)
		t.llcMask[at.LLC].Set(c)
		last = named
	}
}

// open puts slot s into the last group of a level, or into a new one if it is
// the first slot or differs from the slot before; it returns the group's number.
func open(count *int, spans []span, s int, differs bool) int32 {
	if s == 0 || differs {
		spans[*count] = span{int32(s), int32(s)}
		*count++
	}
	spans[*count-1].hi = int32(s) + 1
	return int32(*count - 1)
}
