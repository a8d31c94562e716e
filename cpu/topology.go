package cpu

// Position says where a CPU sits. All numbers but APIC are dense: cores, LLC
// domains, nodes and packages are each counted from 0 without holes over the
// whole machine, in the order of the tree.
type Position struct {
	APIC    uint32 // the hardware's name of the CPU
	Core    int32
	LLC     int32
	Node    int32
	Package int32
	SMT     int32 // rank among the CPUs of the core
}

// Topology is the machine as a strictly nested tree: the CPUs of a core lie in
// one LLC domain, an LLC domain in one node, a node in one package. Build makes
// it; afterwards it is read only. It is some 330 KB, so it is static data and
// travels by pointer.
type Topology struct {
	Count    int // CPUs; their ids are 0 to Count-1
	Cores    int
	LLCs     int
	Nodes    int
	Packages int
	Notes    Notes // what the sources of the tree disagreed on
	At       [Max]Position

	// Groups of every level are contiguous in slots, which lists the CPUs in
	// the order of the tree; slot is its inverse.
	slots    [Max]ID
	slot     [Max]int32
	cores    [Max]span
	llcs     [Max]span
	nodes    [Max]span
	packages [Max]span
	coreMask [Max]Mask
	llcMask  [Max]Mask
}

// span is the half-open range of slots that a group occupies.
type span struct{ lo, hi int32 }

// Siblings returns the CPUs of c's core, c among them. The caller only reads it.
func (t *Topology) Siblings(c ID) *Mask { return &t.coreMask[t.At[c].Core] }

// Near returns the CPUs of c's LLC domain, c among them. The caller only reads it.
func (t *Topology) Near(c ID) *Mask { return &t.llcMask[t.At[c].LLC] }

// CoreMask returns the CPUs of a core. The caller only reads it.
func (t *Topology) CoreMask(core int32) *Mask { return &t.coreMask[core] }

// LLCMask returns the CPUs of an LLC domain. The caller only reads it.
func (t *Topology) LLCMask(llc int32) *Mask { return &t.llcMask[llc] }

// CoreSize returns the number of CPUs of c's core, 1 without SMT.
func (t *Topology) CoreSize(c ID) int { return t.cores[t.At[c].Core].size() }

// LLCSize returns the number of CPUs of c's LLC domain.
func (t *Topology) LLCSize(c ID) int { return t.llcs[t.At[c].LLC].size() }

func (s *span) size() int { return int(s.hi - s.lo) }
