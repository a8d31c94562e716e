package process

// MaxRegions is how many regions an address space may have.
const MaxRegions = 8192

// PageSize is the grain of regions, in bytes.
const PageSize = 4096

// Protection says what a program may do with a region; the bits are Linux's.
type Protection uint32

// The bits of Protection; without any, a region is only reserved.
const (
	Readable Protection = 1 << iota
	Writable
	Executable
)

// RegionKind tells regions of different nature apart. It means something to the
// caller only; regions of different kinds never merge.
type RegionKind uint32

// Region is a stretch of an address space with one protection and one kind.
type Region struct {
	Start, End uint64     // its first address, and the first one behind it
	Protection Protection // what the program may do with it
	Kind       RegionKind // what the caller says it is
}

// Regions is what of a process's address space is mapped: disjoint regions,
// ascending, of which no two that touch are alike. The zero value is an empty
// address space. It is some 220 KB, travels by pointer, and has no lock: its
// process's lock guards it.
//
// Spans are given as [start, end) in whole pages and are not empty; anything else
// panics. An operation that answers false for want of room has changed nothing.
// What one costs grows with the regions within its span, which [Regions.Limit]
// bounds; of those behind it, it moves two bytes each.
type Regions struct {
	count int
	next  uint64 // where a search begins
	// order names the slots of the regions, ascending by address, so that a change
	// moves two bytes of each region behind it.
	order [maxSlots]uint16
	slots [maxSlots]Region
	used  int    // slots that were ever in use
	free  uint64 // of them, the first free one plus 1; its Start names the next
}

// maxSlots is two more than MaxRegions: a span may cut the regions at both its
// ends before it is known whether the result fits.
const maxSlots = MaxRegions + 2

// at returns the region in place i of the order.
func (r *Regions) at(i int) *Region { return &r.slots[r.order[i]] }

// takeSlot returns a free slot; there is one, as regions are never more.
func (r *Regions) takeSlot() uint16 {
	if r.free == 0 {
		r.used++
		return uint16(r.used - 1)
	}
	slot := uint16(r.free - 1)
	r.free = r.slots[slot].Start
	return slot
}

func (r *Regions) freeSlot(slot uint16) {
	r.slots[slot].Start = r.free
	r.free = uint64(slot) + 1
}

var faultSpan = fault{"process: a span of addresses is whole pages and not empty"}

func checkSpan(start, end uint64) {
	if start >= end || (start|end)%PageSize != 0 {
		panic(&faultSpan)
	}
}

// Reset makes the address space empty.
func (r *Regions) Reset() { r.count, r.next, r.used, r.free = 0, 0, 0, 0 }

// Count returns the number of regions.
func (r *Regions) Count() int { return r.count }

// Bytes returns how many bytes of address space are mapped.
func (r *Regions) Bytes() uint64 {
	total := uint64(0)
	for i := 0; i < r.count; i++ {
		total += r.at(i).End - r.at(i).Start
	}
	return total
}

// Find returns the region that holds address, false if none does.
func (r *Regions) Find(address uint64) (Region, bool) {
	i := r.above(address)
	if i == r.count || r.at(i).Start > address {
		return Region{}, false
	}
	return *r.at(i), true
}

// Next returns the first region that ends above address, false if none does.
// Going on from each region's End it visits all in ascending order, and the walk
// stays valid when regions change on the way.
func (r *Regions) Next(address uint64) (Region, bool) {
	i := r.above(address)
	if i == r.count {
		return Region{}, false
	}
	return *r.at(i), true
}

// Limit returns the largest end, up to the given one, for which [start, end)
// touches at most n regions: how far a change may go that must stay short.
func (r *Regions) Limit(start, end uint64, n int) uint64 {
	checkSpan(start, end)
	if i := r.above(start) + n; i < r.count {
		return min(end, max(r.at(i).Start, start+PageSize))
	}
	return end
}

// above returns the index of the first region that ends above address.
func (r *Regions) above(address uint64) int {
	low, high := 0, r.count
	for low < high {
		if middle := int(uint(low+high) >> 1); r.at(middle).End > address {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}
