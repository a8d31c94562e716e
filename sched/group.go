package sched

import (
	"hearth/cpu"
	"math/bits"
)

// A group is up to 64 whole-core CPUs of one LLC domain, so that a set of them is one
// word: bit i is the group's i-th CPU in the order of ids. A domain of more CPUs has
// several groups. A slot is a CPU's place when the groups are laid one behind the
// other, none across a multiple of 64: so its part of a larger set is of one word.
type group struct {
	base   int32  // slot of its first CPU
	count  int32  // CPUs
	llc    int32  // LLC domain
	piece  int32  // its first piece
	stride uint32 // bits between the two CPUs of every core, 0 if they differ
	low    uint64 // with a stride: the lower CPU of each core of two
	all    uint64
	class  [maxClasses]uint64 // CPUs by capacity, fastest first
}

// maxClasses bounds the values of slowness that summaries tell apart; with more,
// placements read every CPU.
const maxClasses = 4

// maxSlots suffices for groups of 33 CPUs, of which a word has one.
const maxSlots = 2 * cpu.Max

// piece is a run of CPUs with consecutive ids in one group.
type piece struct {
	first cpu.ID
	count int32
	group int32
	bit   int32 // of first
	next  int32 // the group's next piece, -1 if there is none
}

// groups is the machine in groups, read only once its CPUs are online.
type groups struct {
	count   int32 // groups
	words   int32 // of a set of groups
	runs    int32 // pieces
	classes int32
	wide    bool // a core has more than two CPUs, or there are too many classes
	all     [cpu.Max]group
	pieces  [cpu.Max]piece // ascending
	of      [cpu.Max]int32 // by CPU
	bit     [cpu.Max]int32 // by CPU
	pieceOf [cpu.Max]int32 // by CPU
	ids     [maxSlots]cpu.ID
	sibling [maxSlots]int32 // by slot: bit of the other CPU of the core, -1 if there is none
	llc     [cpu.Max]groupSpan
	slow    [maxClasses]uint16
	in      [maxClasses]groupSet // groups with CPUs of a class
}

// groupSpan is the half-open range of the groups of an LLC domain.
type groupSpan struct{ lo, hi int32 }

// groupSet is a set of groups.
type groupSet [cpu.Max / 64]uint64

func (g *groupSet) has(i int32) bool { return g[i>>6]>>(i&63)&1 != 0 }
func (g *groupSet) set(i int32)      { g[i>>6] |= 1 << (i & 63) }

// llcOf returns the LLC domain of c.
func (g *groups) llcOf(c cpu.ID) int32 { return g.all[g.of[c]].llc }

// bitsBelow returns the n lowest bits, n up to 64.
func bitsBelow(n int32) uint64 { return ^uint64(0) >> (64 - uint(n)) & -uint64(min(n, 1)) }

// build makes the groups of a machine.
func (g *groups) build(t *cpu.Topology) {
	for llc := range int32(t.LLCs) {
		lo := g.count
		g.open(llc)
		mask := t.LLCMask(llc)
		for c := mask.First(); c != cpu.None; c = mask.Next(c) {
			g.admit(t, c)
		}
		g.llc[llc] = groupSpan{lo, g.count}
	}
	g.words = (g.count + 63) / 64
	g.number(t)
	for c := range cpu.ID(t.Count) {
		g.cut(c)
	}
	for i := range g.all[:g.count] {
		g.pair(&g.all[i])
	}
}

// open begins another group of an LLC domain.
func (g *groups) open(llc int32) {
	g.all[g.count] = group{llc: llc, piece: -1}
	g.count++
}

// admit puts c into the group of its core: the last one, or a new one if the core
// does not fit any more.
func (g *groups) admit(t *cpu.Topology, c cpu.ID) {
	if first := t.Siblings(c).First(); first != c {
		g.of[c] = g.of[first]
		return
	}
	size := int32(t.CoreSize(c))
	g.wide = g.wide || size > 2
	if last := &g.all[g.count-1]; last.count+size > 64 {
		g.open(last.llc)
	}
	g.of[c] = g.count - 1
	g.all[g.count-1].count += size
}

// number gives each CPU its bit and its slot.
func (g *groups) number(t *cpu.Topology) {
	base := int32(0)
	for i := range g.all[:g.count] {
		x := &g.all[i]
		if base&63+x.count > 64 {
			base = (base + 63) &^ 63
		}
		x.base, x.all = base, bitsBelow(x.count)
		base += x.count
		x.count = 0
	}
	for c := range cpu.ID(t.Count) {
		x := &g.all[g.of[c]]
		g.bit[c] = x.count
		g.ids[x.base+x.count] = c
		g.sibling[x.base+x.count] = -1
		x.count++
		if first := t.Siblings(c).First(); first != c {
			g.sibling[x.base+g.bit[c]] = g.bit[first]
			g.sibling[x.base+g.bit[first]] = g.bit[c]
		}
	}
}

// cut puts c at the end of the last piece, or into a new one.
func (g *groups) cut(c cpu.ID) {
	if c > 0 && g.of[c] == g.of[c-1] {
		g.pieces[g.runs-1].count++
		g.pieceOf[c] = g.runs - 1
		return
	}
	own := g.of[c]
	g.pieces[g.runs] = piece{c, 1, own, g.bit[c], -1}
	g.pieceOf[c] = g.runs
	if last := &g.all[own].piece; *last < 0 {
		*last = g.runs
	} else {
		before := *last
		for g.pieces[before].next >= 0 {
			before = g.pieces[before].next
		}
		g.pieces[before].next = g.runs
	}
	g.runs++
}

// pair finds the stride of a group's cores.
func (g *groups) pair(x *group) {
	stride := int32(0)
	for b := range x.count {
		other := g.sibling[x.base+b]
		if other < b {
			continue
		}
		if stride != 0 && other-b != stride {
			x.stride, x.low = 0, 0
			return
		}
		stride = other - b
		x.low |= 1 << b
	}
	x.stride = uint32(stride)
	if stride == 0 {
		x.stride = 1 // no core has two CPUs, so nothing has to be moved
	}
}

// siblingsOf returns the siblings of the CPUs of set.
func (g *groups) siblingsOf(x *group, set uint64) uint64 {
	if x.stride != 0 {
		return set&x.low<<x.stride | set>>x.stride&x.low
	}
	var others uint64
	for ; set != 0; set &= set - 1 {
		if b := g.sibling[x.base+int32(bits.TrailingZeros64(set))]; b >= 0 {
			others |= 1 << b
		}
	}
	return others
}

// gather returns the CPUs of a mask that are in x.
func (g *groups) gather(x *group, m *cpu.Mask) uint64 {
	var set uint64
	for i := x.piece; i >= 0; i = g.pieces[i].next {
		p := &g.pieces[i]
		set |= run(m, int32(p.first), p.count) << p.bit
	}
	return set
}

// run returns the n bits of a mask from first on, n up to 64.
func run(m *cpu.Mask, first, n int32) uint64 {
	w, shift := first>>6, uint(first)&63
	set := m[w] >> shift
	if shift != 0 && int(w)+1 < len(m) {
		set |= m[w+1] << (64 - shift)
	}
	return set & bitsBelow(n)
}

// at returns where start stands in x: the bit of its first CPU from start on, 0 if
// all are before it.
func (g *groups) at(x *group, own int32, start cpu.ID) int32 {
	if g.of[start] == own {
		return g.bit[start]
	}
	for i := x.piece; i >= 0; i = g.pieces[i].next {
		if g.pieces[i].first > start {
			return g.pieces[i].bit
		}
	}
	return 0
}

// classify sorts the CPUs into classes by their slowness.
func (g *groups) classify(t *cpu.Topology, slowness *[cpu.Max]uint16) {
	g.classes = 0
	for c := range cpu.ID(t.Count) {
		if !g.know(slowness[c]) {
			g.wide = true
			return
		}
	}
	g.in = [maxClasses]groupSet{}
	for i := range g.all[:g.count] {
		g.all[i].class = [maxClasses]uint64{}
	}
	for c := range cpu.ID(t.Count) {
		k := 0
		for g.slow[k] != slowness[c] {
			k++
		}
		g.all[g.of[c]].class[k] |= 1 << g.bit[c]
		g.in[k].set(g.of[c])
	}
}

// know inserts a slowness into the ascending list of those there are; false if there
// is no room.
func (g *groups) know(slowness uint16) bool {
	at := g.classes
	for i := range g.classes {
		if g.slow[i] == slowness {
			return true
		}
		if g.slow[i] > slowness && at == g.classes {
			at = i
		}
	}
	if g.classes == maxClasses {
		return false
	}
	for i := g.classes; i > at; i-- {
		g.slow[i] = g.slow[i-1]
	}
	g.slow[at] = slowness
	g.classes++
	return true
}
