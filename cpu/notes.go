package cpu

// Notes is a set of findings about sources that disagree or lack data. The kernel
// logs each one once; the tree is safe to use whatever they are.
type Notes uint32

const (
	// NoteNoL3: a CPU lists no level-3 cache; its LLC domain is the next lower
	// level that it lists, the core if it lists none.
	NoteNoL3 Notes = 1 << iota
	// NoteLLCSplit: sources draw the LLC domains differently; no domain joins
	// what one of them splits.
	NoteLLCSplit
	// NoteLLCCut: an LLC domain reached over a node or package and was cut there.
	NoteLLCCut
	// NoteLLCCrossed: an LLC domain held a part of a core; it was dropped and
	// its cores are domains of their own.
	NoteLLCCrossed
	// NoteNodeCrossed: a node held a part of a core, with the same outcome.
	NoteNodeCrossed
	// NoteCoreSplit: sources draw the cores differently.
	NoteCoreSplit
	// NotePackageSplit: sources draw the packages differently.
	NotePackageSplit
	// NoteLevelsShrink: a list of levels is not ascending; it was read up to there.
	NoteLevelsShrink
	// NoteAPICDiffers: a CPU states another APIC id than the one it was started by.
	NoteAPICDiffers
	// NoteTopoOther: leaf 0x8000001E of a CPU describes another one; what the
	// leaf says of cores and nodes is ignored on all CPUs.
	NoteTopoOther
	noteEnd
)

// Text returns what the lowest note of n says, for a log line; "" if n is empty.
func (n Notes) Text() string {
	switch n & -n {
	case NoteNoL3:
		return "a CPU lists no L3 cache: its LLC domain is the next lower level"
	case NoteLLCSplit:
		return "CPUID leaves disagree on LLC domains: the narrower ones are used"
	case NoteLLCCut:
		return "an LLC domain reaches over a node or package: it is cut there"
	case NoteLLCCrossed:
		return "an LLC domain splits a core: its cores are domains of their own"
	case NoteNodeCrossed:
		return "a node splits a core: its cores are nodes of their own"
	case NoteCoreSplit:
		return "CPUID leaves disagree on cores: the narrower ones are used"
	case NotePackageSplit:
		return "CPUID leaves disagree on packages: the narrower ones are used"
	case NoteLevelsShrink:
		return "a CPUID list of levels is not ascending: its rest is ignored"
	case NoteAPICDiffers:
		return "a CPU states another APIC id than the MADT: the MADT's is used"
	case NoteTopoOther:
		return "CPUID leaf 0x8000001E of a CPU describes another one: it is ignored"
	}
	return ""
}

// Rest returns n without its lowest note.
func (n Notes) Rest() Notes { return n & (n - 1) }

// noteSplits notes where a source joins CPUs of different groups of a level
// within one group of the level above. All CPUs of a group have the same key, so
// its lowest stands for it.
func (t *Topology) noteSplits(locs []Location, lv level, note Notes) {
	for i := range locs {
		for j := 0; j < i && t.leads(i, lv) && t.Notes&note == 0; j++ {
			if t.leads(j, lv) && t.beside(i, j, lv) && t.contradicts(&locs[i], &locs[j], lv) {
				t.Notes |= note
			}
		}
	}
}

// beside reports whether groups of a level lie in the same group above it.
func (t *Topology) beside(i, j int, lv level) bool {
	switch lv {
	case packages:
		return true
	case llcs:
		return t.At[i].Node == t.At[j].Node
	}
	return t.At[i].Package == t.At[j].Package
}

// contradicts reports whether a source that counts joins two CPUs whose keys differ.
func (t *Topology) contradicts(a, b *Location, lv level) bool {
	silent := uint8(0)
	switch {
	case lv == llcs:
		silent = a.Bound | b.Bound
	case lv == cores && t.Notes&NoteTopoOther != 0:
		silent = 1 << byTopo
	}
	for i := 0; i < byMeanings; i++ {
		if silent>>uint(i)&1 == 0 && a.key(lv).joins(b.key(lv), i) {
			return true
		}
	}
	return false
}

// noteCuts notes LLC domains that would reach over nodes.
func (t *Topology) noteCuts(locs []Location) {
	for i := range locs {
		for j := 0; j < i && t.leads(i, llcs) && t.Notes&NoteLLCCut == 0; j++ {
			if t.leads(j, llcs) && t.At[i].Node != t.At[j].Node &&
				locs[i].LLC.same(&locs[j].LLC) {
				t.Notes |= NoteLLCCut
			}
		}
	}
}
