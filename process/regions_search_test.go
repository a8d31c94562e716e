package process

import (
	"testing"

	"pgregory.net/rapid"
)

func TestFindFreeHonoursAHintThatIsFree(t *testing.T) {
	var r Regions
	const page, low, high = PageSize, 4 * PageSize, 64 * PageSize
	if !r.Map(10*page, 12*page, Readable, 0) {
		t.Fatal("no room for one region")
	}
	for _, c := range []struct{ hint, length, want uint64 }{
		{20 * page, 4 * page, 20 * page},
		{8 * page, 2 * page, 8 * page},   // up to what is mapped
		{12 * page, 2 * page, 12 * page}, // right behind it
		{9 * page, 2 * page, 4 * page},   // runs into it: the first that is free
		{62 * page, 4 * page, 6 * page},  // beyond the bounds: behind the last search
	} {
		if at, ok := r.FindFree(c.hint, c.length, low, high); !ok || at != c.want {
			t.Errorf("hint %#x, %#x bytes: %#x, %v; want %#x", c.hint, c.length, at, ok, c.want)
		}
	}
}

func TestFindFreeGoesOnWhereItEnded(t *testing.T) {
	var r Regions
	var got []uint64
	for range 5 {
		at, ok := r.FindFree(0, PageSize, 4*PageSize, 8*PageSize)
		if !ok {
			t.Fatal("no free page found")
		}
		got = append(got, at/PageSize)
	}
	want := []uint64{4, 5, 6, 7, 4}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("pages %v, want %v", got, want)
		}
	}
}

func TestASearchInStepsFindsWhatOneStepFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Regions
		var m pageMap
		for range rapid.IntRange(0, 30).Draw(t, "regions") {
			first, after := drawSpan(t)
			r.Map(uint64(first)*PageSize, uint64(after)*PageSize, Protection(first%4), 0)
			for i := first; i < after; i++ {
				m[i].mapped = true
			}
		}
		r.next = rapid.Uint64Range(0, modelPages).Draw(t, "next") * PageSize
		s := Search{High: modelPages * PageSize, Length: rapid.Uint64Range(1, modelPages).Draw(t, "pages") * PageSize}
		s.Align = rapid.SampledFrom([]uint64{0, PageSize, 4 * PageSize}).Draw(t, "align")
		one, whole := s, r
		wantAt, want := whole.Search(&one, MaxRegions)
		for step := 0; ; step++ {
			at, outcome := r.Search(&s, 1)
			if outcome == SearchMore && step < 4*modelPages {
				continue
			}
			if at != wantAt || outcome != want {
				t.Fatalf("in %d steps: %#x, %v; at once: %#x, %v", step, at, outcome, wantAt, want)
			}
			if free := m.firstAligned(s.Length, s.Align); (outcome == SearchFound) != (free >= 0) {
				t.Fatalf("outcome %v; the first free span begins at page %d", outcome, free)
			}
			if outcome == SearchFound && (at%max(s.Align, PageSize) != 0 || !r.IsFree(at, s.Length)) {
				t.Fatalf("%#x is no multiple of %#x, or not free", at, s.Align)
			}
			return
		}
	})
}

// firstAligned returns the first page from which length bytes are free and which is
// a multiple of align, -1 if there is none.
func (m *pageMap) firstAligned(length, align uint64) int {
	pages, step := int(length/PageSize), int(max(align/PageSize, 1))
	for first := 0; first+pages <= modelPages; first += step {
		if m.free(first, first+pages) {
			return first
		}
	}
	return -1
}

// Spans that were asked for one after the other lie one behind the other, so that
// alike ones are one region.
func TestAlignedSearchesLeaveNoGaps(t *testing.T) {
	var r Regions
	for range 100 {
		s := Search{Low: PageSize, High: 1 << 40, Length: 8 * PageSize, Align: 4 * PageSize}
		at, outcome := r.Search(&s, MaxRegions)
		if outcome != SearchFound || !r.Map(at, at+s.Length, Readable, 0) {
			t.Fatalf("%#x, %v", at, outcome)
		}
	}
	if r.Count() != 1 {
		t.Errorf("100 spans are %d regions", r.Count())
	}
}

func TestAStepOfASearchLooksAtFewRegions(t *testing.T) {
	var r Regions
	fill(t, &r)
	s := Search{High: 2 * MaxRegions * PageSize, Length: 2 * PageSize}
	for step := range MaxRegions / 64 {
		if _, outcome := r.Search(&s, 64); outcome != SearchMore {
			t.Fatalf("step %d of 64 regions each, of %d, ended with outcome %v", step, MaxRegions, outcome)
		}
	}
}
