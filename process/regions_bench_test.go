package process

import "testing"

// The most work of a change is at the low end of a full address space, where
// it moves all regions.
func BenchmarkChangeOfFullRegions(b *testing.B) {
	r := new(Regions)
	for i := uint64(1); i < MaxRegions; i++ {
		r.Map(2*i*PageSize, (2*i+1)*PageSize, Readable, 0)
	}
	for b.Loop() {
		r.Map(0, PageSize, Writable, 0)
		r.Unmap(0, PageSize)
	}
}

func BenchmarkFindInFullRegions(b *testing.B) {
	r := new(Regions)
	for i := uint64(0); i < MaxRegions; i++ {
		r.Map(2*i*PageSize, (2*i+1)*PageSize, Readable, 0)
	}
	at := uint64(0)
	for b.Loop() {
		r.Find(at % (2 * MaxRegions * PageSize))
		at += 7919 * PageSize
	}
}
