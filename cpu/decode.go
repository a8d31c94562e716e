package cpu

import "math/bits"

// Where the words of a Key come from. A Key has a word per source and one more
// that holds the widths, so that equal numbers of different meaning differ.
const (
	byCache    = 0 // leaf 0x8000001D
	byCache4   = 1 // leaf 4
	byLevels   = 2 // leaf 0x80000026, else 0x1F
	byTopo     = 0 // leaf 0x8000001E; Build ignores it where NoteTopoOther is set
	byShift    = 1 // leaf 0xB, else widths from before level leaves
	byMeanings = 3
)

// Decode returns where the words of l put the CPU with the given APIC id. Ids of
// groups are APIC ids shifted right; counts in the words are used only rounded
// up to a power of two, since firmware and hypervisors leave holes in APIC ids.
func Decode(l *Leaves, apic uint32) Location {
	loc := Location{APIC: apic}
	var v2, v1 levelShifts
	l.levelShifts(&v2, &v1, &loc.Notes)
	l.checkAPIC(apic, &loc.Notes)
	l.decodePackage(&loc, &v2, &v1)
	l.decodeNode(&loc, &v2)
	l.decodeCore(&loc, &v2, &v1)
	l.decodeLLC(&loc, &v2)
	return loc
}

// claim writes into word i of k that the CPU is in group apic>>shift; 0 is kept
// for a source that is silent. meaning distinguishes kinds of group.
func (k *Key) claim(i int, apic, shift, meaning uint32) {
	group := uint32(0)
	if shift < 32 {
		group = apic >> shift
	}
	k[i] = group + 1
	k[byMeanings] |= (shift&0x3F | meaning<<6) << (10 * uint(i))
}

// levelShifts holds, for the kinds of level that one level leaf lists, how far to
// shift an APIC id for the id of such a level; 0 in has means not listed.
type levelShifts struct {
	valid                             bool
	core, complex, die, whole         uint32
	hasCore, hasComplex, hasDie, amds bool
}

// levelShifts decodes the better of leaves 0x80000026 and 0x1F into v2, and leaf
// 0xB into v1.
func (l *Leaves) levelShifts(v2, v1 *levelShifts, notes *Notes) {
	l.levelList(leafLevels, v1, notes)
	l.levelList(leafExtLevels, v2, notes)
	if !v2.valid {
		l.levelList(leafLevelsV2, v2, notes)
	}
}

// levelList decodes one level leaf. The two makers count differently: at level k
// Intel gives the shift to the level above k, AMD the shift to k itself; for the
// first level of either that is the id of the core.
func (l *Leaves) levelList(leaf uint32, v *levelShifts, notes *Notes) {
	v.amds = leaf == leafExtLevels
	below := uint32(0)
	for sub := uint32(0); sub < maxSubleaves; sub++ {
		r, ok := l.word(leaf, sub)
		if !ok || levelType(&r) == 0 || r.EBX&0xFFFF == 0 {
			return
		}
		shift := r.EAX & 0x1F
		if shift < below {
			*notes |= NoteLevelsShrink
			return
		}
		v.valid = true
		v.level(levelType(&r), shift, below)
		v.whole = shift
		below = shift
	}
}

const (
	levelCore    = 1 // SMT to Intel, core to AMD: the shift gives the core
	levelComplex = 2 // AMD: the cores of one L3
	levelAMDDie  = 3
	levelDie     = 5 // Intel
)

func (v *levelShifts) level(kind, shift, below uint32) {
	switch {
	case kind == levelCore:
		v.core, v.hasCore = shift, true
	case v.amds && kind == levelComplex:
		v.complex, v.hasComplex = shift, true
	case v.amds && kind == levelAMDDie:
		v.die, v.hasDie = shift, true
	case !v.amds && kind == levelDie:
		v.die, v.hasDie = below, true
	}
}

// checkAPIC notes a CPU whose own words carry another APIC id than the one under
// which it was started. Hypervisors fill leaf 0x8000001E with zeros where they lack
// data or a core number outgrows its field.
func (l *Leaves) checkAPIC(apic uint32, notes *Notes) {
	if r, ok := l.word(leafLevels, 0); ok && levelType(&r) != 0 && r.EDX != apic {
		*notes |= NoteAPICDiffers
	}
	if r, ok := l.word(leafExtTopo, 0); ok && r.EAX != apic {
		*notes |= NoteTopoOther
	}
}

func (l *Leaves) decodePackage(loc *Location, v2, v1 *levelShifts) {
	if v2.valid {
		loc.Package.claim(byLevels, loc.APIC, v2.whole, 0)
	}
	if v1.valid {
		loc.Package.claim(byShift, loc.APIC, v1.whole, 0)
	}
	if !v1.valid && !v2.valid {
		loc.Package.claim(byShift, loc.APIC, l.oldPackageShift(), 0)
	}
}

// oldPackageShift is the width of the APIC ids of a package on a CPU without
// level leaves: AMD states it, others state a count; without either, 0: every
// CPU a package of its own.
func (l *Leaves) oldPackageShift() uint32 {
	if r, ok := l.word(leafExtSizes, 0); ok && r.ECX&0xFFFF != 0 {
		if width := r.ECX >> 12 & 0xF; width != 0 {
			return width
		}
		return widthOf(r.ECX & 0xFF)
	}
	if basic, _ := l.word(leafBasic, 0); bit(basic.EDX, 28) {
		return widthOfCount(basic.EBX >> 16 & 0xFF)
	}
	return 0
}

// widthOf returns how many bits number the values 0 to last.
func widthOf(last uint32) uint32 { return uint32(bits.Len32(last)) }

func widthOfCount(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	return widthOf(n - 1)
}

func (l *Leaves) decodeNode(loc *Location, v2 *levelShifts) {
	if r, ok := l.word(leafExtTopo, 0); ok {
		loc.Node.claim(byTopo, r.ECX&0xFF, 0, 0)
	}
	if v2.hasDie && !v2.amds {
		loc.Node.claim(byLevels, loc.APIC, v2.die, 0)
	}
}

// decodeLLC takes the widest cache that each source lists. A source that knows
// only lower levels than another says nothing about the last one.
func (l *Leaves) decodeLLC(loc *Location, v2 *levelShifts) {
	level, shift := l.lastCache(leafExtCaches)
	level4, shift4 := l.lastCache(leafCaches)
	if level != 0 && level >= level4 {
		loc.LLC.claim(byCache, loc.APIC, shift, level)
	}
	if level4 != 0 && level4 >= level {
		loc.LLC.claim(byCache4, loc.APIC, shift4, level4)
	}
	switch {
	case v2.hasComplex:
		loc.LLC.claim(byLevels, loc.APIC, v2.complex, 0)
	case v2.hasDie:
		loc.LLC.claim(byLevels, loc.APIC, v2.die, 0)
		loc.Bound |= 1 << byLevels
	}
	if v2.hasComplex || level >= 3 || level4 >= 3 {
		return
	}
	loc.Notes |= NoteNoL3
	if level == 0 && level4 == 0 {
		// Nothing is known of caches: unknown means narrower, a domain per core.
		loc.LLC = loc.Core
	}
}

// lastCache returns level and APIC id width of the highest data or unified cache
// that a cache leaf lists, level 0 if it lists none.
func (l *Leaves) lastCache(leaf uint32) (level, shift uint32) {
	const instruction = 2
	for sub := uint32(0); sub < maxSubleaves; sub++ {
		r, ok := l.word(leaf, sub)
		if !ok || cacheType(&r) == 0 {
			break
		}
		if at := r.EAX >> 5 & 7; cacheType(&r) != instruction && at >= level {
			level, shift = at, widthOf(r.EAX>>14&0xFFF)
		}
	}
	return level, shift
}

func (l *Leaves) decodeCore(loc *Location, v2, v1 *levelShifts) {
	if v2.hasCore {
		loc.Core.claim(byLevels, loc.APIC, v2.core, 0)
	}
	if v1.hasCore {
		loc.Core.claim(byShift, loc.APIC, v1.core, 0)
	}
	if r, ok := l.word(leafExtTopo, 0); ok {
		loc.Core.claim(byTopo, loc.APIC, widthOf(r.EBX>>8&0xFF), 0)
	} else if !v2.hasCore && !v1.hasCore {
		loc.Core.claim(byShift, loc.APIC, l.oldCoreShift(), 0)
	}
}

// oldCoreShift is the width of the CPUs of a core on a CPU without level leaves:
// leaf 1 counts the CPUs of a package, leaf 4 its cores; without leaf 4, 0:
// every CPU a core of its own.
func (l *Leaves) oldCoreShift() uint32 {
	basic, _ := l.word(leafBasic, 0)
	r, ok := l.word(leafCaches, 0)
	if !ok || cacheType(&r) == 0 || !bit(basic.EDX, 28) {
		return 0
	}
	cpus, cores := widthOfCount(basic.EBX>>16&0xFF), widthOf(r.EAX>>26&0x3F)
	if cores > cpus {
		return 0
	}
	return cpus - cores
}
