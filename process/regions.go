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
// address space. It is some 200 KB, travels by pointer, and has no lock: its
// process's lock guards it.
//
// Spans are given as [start, end) in whole pages and are not empty; anything else
// panics. An operation that answers false for want of room has changed nothing.
type Regions struct {
	count int
	next  uint64 // where FindFree goes on searching
	// Two more than MaxRegions: a span may cut the regions at both its ends
	// before it is known whether the result fits.
	list [MaxRegions + 2]Region
}

var faultSpan = fault{"process: a span of addresses is whole pages and not empty"}

func checkSpan(start, end uint64) {
	if start >= end || (start|end)%PageSize != 0 {
		panic(&faultSpan)
	}
}

// Reset makes the address space empty.
func (r *Regions) Reset() { r.count, r.next = 0, 0 }

// Count returns the number of regions.
func (r *Regions) Count() int { return r.count }

// Bytes returns how many bytes of address space are mapped.
func (r *Regions) Bytes() uint64 {
	total := uint64(0)
	for i := 0; i < r.count; i++ {
		total += r.list[i].End - r.list[i].Start
	}
	return total
}

// Find returns the region that holds address, false if none does.
func (r *Regions) Find(address uint64) (Region, bool) {
	i := r.above(address)
	if i == r.count || r.list[i].Start > address {
		return Region{}, false
	}
	return r.list[i], true
}

// Next returns the first region that ends above address, false if none does.
// Going on from each region's End it visits all in ascending order, and the walk
// stays valid when regions change on the way.
func (r *Regions) Next(address uint64) (Region, bool) {
	i := r.above(address)
	if i == r.count {
		return Region{}, false
	}
	return r.list[i], true
}

// above returns the index of the first region that ends above address.
func (r *Regions) above(address uint64) int {
	low, high := 0, r.count
	for low < high {
		if middle := int(uint(low+high) >> 1); r.list[middle].End > address {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// FindFree returns the start of a free span of length bytes, whole pages, within
// [low, high), false if there is none. If the span at hint is free and within
// bounds it is that one, otherwise the first behind where the last search ended, which
// spreads mappings and makes stale addresses fault longer.
func (r *Regions) FindFree(hint, length, low, high uint64) (uint64, bool) {
	checkSpan(low, high)
	checkSpan(0, length)
	if length > high-low {
		return 0, false
	}
	if hint%PageSize == 0 && hint >= low && hint <= high-length && r.isFree(hint, length) {
		return hint, true
	}
	from := min(max(r.next, low), high)
	start, ok := r.search(from, length, high)
	if !ok {
		start, ok = r.search(low, length, high)
	}
	if ok {
		r.next = start + length
	}
	return start, ok
}

func (r *Regions) isFree(start, length uint64) bool {
	i := r.above(start)
	return i == r.count || r.list[i].Start >= start+length
}

// search returns the first free span of length bytes in [from, high).
func (r *Regions) search(from, length, high uint64) (uint64, bool) {
	for i := r.above(from); ; i++ {
		if from > high || high-from < length {
			return 0, false
		}
		if i == r.count || r.list[i].Start >= from+length {
			return from, true
		}
		from = r.list[i].End
	}
}
