package cpu

// Build makes t the tree of locs, of which entry i is the CPU with id i; at most
// Max entries, else it panics. It needs no memory of its own and takes time in
// the order of CPUs times groups.
//
// Cores are taken first, since CPUs of one core share all that there is to share;
// LLC domains are cut at nodes and nodes at packages; a domain or node that holds
// a part of a core is dropped, and each of its cores stands for itself.
func Build(t *Topology, locs []Location) {
	if len(locs) > Max {
		panic(&faultTooMany)
	}
	t.reset(len(locs))
	for i := range locs {
		t.Notes |= locs[i].Notes
		t.At[i].APIC = locs[i].APIC
	}
	t.group(locs, packages, packages)
	t.noteSplits(locs, packages, NotePackageSplit)
	t.group(locs, cores, packages)
	t.noteSplits(locs, cores, NoteCoreSplit)
	t.group(locs, nodes, packages)
	t.dropCrossed(nodes, NoteNodeCrossed)
	t.group(locs, llcs, nodes)
	t.noteSplits(locs, llcs, NoteLLCSplit)
	t.noteCuts(locs)
	t.dropCrossed(llcs, NoteLLCCrossed)
	t.sortSlots()
	t.number()
}

var faultTooMany = fault{"cpu: a topology holds at most 1024 CPUs"}

// reset clears what an earlier Build left behind where number only adds.
func (t *Topology) reset(n int) {
	for i := range t.coreMask {
		t.coreMask[i].Reset()
		t.llcMask[i].Reset()
	}
	t.Count, t.Cores, t.LLCs, t.Nodes, t.Packages, t.Notes = n, 0, 0, 0, 0, 0
}

// name returns where At holds c's group of a level. While Build groups, a group
// is named by its lowest CPU: that needs no table of keys, and it orders groups by
// first appearance.
func (t *Topology) name(c int, lv level) *int32 {
	at := &t.At[c]
	switch lv {
	case packages:
		return &at.Package
	case nodes:
		return &at.Node
	case llcs:
		return &at.LLC
	}
	return &at.Core
}

// leads reports whether c is the lowest CPU of its group.
func (t *Topology) leads(c int, lv level) bool { return *t.name(c, lv) == int32(c) }

// group names the groups of a level: CPUs with the same key within one group of
// the level parent. With parent = lv there is no parent.
func (t *Topology) group(locs []Location, lv, parent level) {
	for i := range locs {
		name := t.name(i, lv)
		*name = int32(i)
		for j := 0; j < i; j++ {
			if t.leads(j, lv) && (lv == parent || *t.name(i, parent) == *t.name(j, parent)) &&
				t.same(&locs[i], &locs[j], lv) {
				*name = int32(j)
				break
			}
		}
	}
}

// same reports whether the sources put two CPUs into one group of a level. Leaf
// 0x8000001E is left out on all CPUs if one of them cannot be trusted: a leaf of
// zeros looks right on the CPU with APIC id 0. Cores of which no other source
// speaks are then single CPUs; nodes are packages.
func (t *Topology) same(a, b *Location, lv level) bool {
	ka, kb := a.key(lv), b.key(lv)
	switch {
	case t.Notes&NoteTopoOther == 0:
	case lv == cores:
		return ka.sameBut(kb) && (ka[1] != 0 || ka[2] != 0)
	case lv == nodes:
		return ka.sameBut(kb)
	}
	return ka.same(kb)
}

// dropCrossed dissolves the groups of a level that hold a part of a core into
// cores. Groups that share a crossed core go together, so that the outcome does
// not depend on the numbering of CPUs.
func (t *Topology) dropCrossed(lv level, note Notes) {
	var crossed Mask
	for c := 0; c < t.Count; c++ {
		own, core := *t.name(c, lv), *t.name(int(t.At[c].Core), lv)
		if own != core {
			crossed.Set(ID(own))
			crossed.Set(ID(core))
			t.Notes |= note
		}
	}
	for c := 0; c < t.Count; c++ {
		if name := t.name(c, lv); crossed.Has(ID(*name)) {
			*name = t.At[c].Core
		}
	}
}

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
