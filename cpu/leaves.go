package cpu

// Registers is what one CPUID instruction returns.
type Registers struct{ EAX, EBX, ECX, EDX uint32 }

// Query is what one CPUID instruction asks for: EAX and ECX on entry.
type Query struct{ Leaf, Sub uint32 }

// Leaves holds the CPUID words of one CPU that Hearth interprets, as read there.
// Whoever can execute CPUID fills it:
//
//	for q, more := l.Next(); more; q, more = l.Next() {
//		l.Record(cpuid(q.Leaf, q.Sub))
//	}
//
// Next asks for nothing beyond the maxima that the CPU states and ends each list
// of subleaves at its first invalid entry: what lies beyond reads as plausible
// data of another leaf, and on some emulators stops the machine. The zero value
// is ready to be filled.
type Leaves struct {
	count int
	plan  int    // index in the plan of the leaf to ask for
	sub   uint32 // its subleaf
	query [maxWords]Query
	words [maxWords]Registers
}

// The leaves that Hearth reads. The two that carry the maxima come first.
const (
	leafMax        = 0x0
	leafBasic      = 0x1
	leafCaches     = 0x4
	leafMWAIT      = 0x5
	leafPower      = 0x6
	leafFeatures   = 0x7
	leafLevels     = 0xB
	leafXSAVE      = 0xD
	leafTSC        = 0x15
	leafLevelsV2   = 0x1F
	leafHypervisor = 0x40000000
	leafHyperClock = 0x40000010
	leafExtMax     = 0x80000000
	leafExtBasic   = 0x80000001
	leafBrand      = 0x80000002 // three leaves
	leafExtPower   = 0x80000007
	leafExtSizes   = 0x80000008
	leafExtCaches  = 0x8000001D
	leafExtTopo    = 0x8000001E
	leafExtLevels  = 0x80000026
)

const (
	maxSubleaves = 8
	maxWords     = 64
)

// list says how the subleaves of a leaf end.
type list uint8

const (
	single list = iota
	pair        // subleaves 0 and 1
	caches      // until the cache type, EAX[4:0], is 0
	levels      // until the level type, ECX[15:8], is 0
)

var plan = [...]struct {
	leaf uint32
	list list
}{
	{leafMax, single}, {leafExtMax, single},
	{leafBasic, single}, {leafHypervisor, single}, {leafHyperClock, single},
	{leafCaches, caches}, {leafMWAIT, single}, {leafPower, single}, {leafFeatures, single},
	{leafLevels, levels}, {leafXSAVE, pair}, {leafTSC, single}, {leafLevelsV2, levels},
	{leafExtBasic, single}, {leafBrand, single}, {leafBrand + 1, single}, {leafBrand + 2, single},
	{leafExtPower, single}, {leafExtSizes, single}, {leafExtCaches, caches},
	{leafExtTopo, single}, {leafExtLevels, levels},
}

// Next returns the next CPUID instruction to execute, more = false when l is
// complete. Record must have been called for the one before.
func (l *Leaves) Next() (q Query, more bool) {
	for ; l.plan < len(plan); l.plan++ {
		if leaf := plan[l.plan].leaf; l.valid(leaf) {
			return Query{leaf, l.sub}, true
		}
	}
	return Query{}, false
}

// Record stores what the instruction that Next named returned.
func (l *Leaves) Record(eax, ebx, ecx, edx uint32) {
	r := Registers{eax, ebx, ecx, edx}
	step := &plan[l.plan]
	more := step.list != single && l.sub+1 < maxSubleaves
	switch step.list {
	case pair:
		more = l.sub == 0
	case caches:
		more = more && cacheType(&r) != 0
	case levels:
		more = more && levelType(&r) != 0
	}
	if l.count < maxWords {
		l.query[l.count] = Query{step.leaf, l.sub}
		l.words[l.count] = r
		l.count++
	}
	l.sub++
	if !more {
		l.plan++
		l.sub = 0
	}
}

// valid reports whether the CPU states that it has leaf.
func (l *Leaves) valid(leaf uint32) bool {
	switch {
	case leaf == leafMax || leaf == leafExtMax:
		return true
	case leaf >= leafExtMax:
		max, _ := l.word(leafExtMax, 0)
		return leaf <= max.EAX && max.EAX < leafExtMax+0x10000
	case leaf == leafHypervisor:
		return l.hypervisor()
	case leaf > leafHypervisor:
		max, _ := l.word(leafHypervisor, 0)
		return l.hypervisor() && leaf <= max.EAX && max.EAX < leafHypervisor+0x10000
	}
	max, _ := l.word(leafMax, 0)
	return leaf <= max.EAX
}

func (l *Leaves) hypervisor() bool {
	basic, _ := l.word(leafBasic, 0)
	return basic.ECX>>31 != 0
}

// word returns the words of a subleaf, zeros and false if the CPU lacks it.
func (l *Leaves) word(leaf, sub uint32) (r Registers, ok bool) {
	for i := 0; i < l.count; i++ {
		if l.query[i].Leaf == leaf && l.query[i].Sub == sub {
			return l.words[i], true
		}
	}
	return Registers{}, false
}

func cacheType(r *Registers) uint32 { return r.EAX & 0x1F }
func levelType(r *Registers) uint32 { return r.ECX >> 8 & 0xFF }
