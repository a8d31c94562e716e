package process

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// pageMap is the naive model of an address space: what every page is.
type pageMap [modelPages]struct {
	mapped bool
	prot   Protection
	kind   RegionKind
}

const modelPages = 64

// regions lists the model's maximal runs of like pages.
func (m *pageMap) regions() []Region {
	var list []Region
	for i, p := range m {
		if !p.mapped {
			continue
		}
		if i > 0 && m[i-1] == p {
			list[len(list)-1].End += PageSize
			continue
		}
		list = append(list, Region{uint64(i) * PageSize, uint64(i+1) * PageSize, p.prot, p.kind})
	}
	return list
}

func (m *pageMap) covered(first, after int) bool {
	for _, p := range m[first:after] {
		if !p.mapped {
			return false
		}
	}
	return true
}

func (m *pageMap) free(first, after int) bool {
	for _, p := range m[first:after] {
		if p.mapped {
			return false
		}
	}
	return true
}

func drawSpan(t *rapid.T) (first, after int) {
	first = rapid.IntRange(0, modelPages-1).Draw(t, "first")
	return first, rapid.IntRange(first+1, modelPages).Draw(t, "after")
}

// all lists the regions.
func (r *Regions) all() (list []Region) {
	for i := range r.count {
		list = append(list, *r.at(i))
	}
	return list
}

func checkModel(t *rapid.T, r *Regions, m *pageMap) {
	want := m.regions()
	if r.Count() != len(want) {
		t.Fatalf("%d regions %v, want %d: %v", r.Count(), r.all(), len(want), want)
	}
	at, bytes := uint64(0), uint64(0)
	for _, w := range want {
		got, ok := r.Next(at)
		if !ok || got != w {
			t.Fatalf("region above %#x is %+v, want %+v", at, got, w)
		}
		at = got.End
		bytes += w.End - w.Start
	}
	if got, ok := r.Next(at); ok {
		t.Fatalf("one region too many: %+v", got)
	}
	if r.Bytes() != bytes {
		t.Fatalf("%d bytes mapped, want %d", r.Bytes(), bytes)
	}
}

func TestRegionsAgreeWithAPageMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Regions
		var m pageMap
		prot := rapid.Map(rapid.IntRange(0, 3), func(v int) Protection { return Protection(v) })
		kind := rapid.Map(rapid.IntRange(0, 1), func(v int) RegionKind { return RegionKind(v) })
		t.Repeat(map[string]func(*rapid.T){
			"map": func(t *rapid.T) {
				first, after := drawSpan(t)
				p, k := prot.Draw(t, "protection"), kind.Draw(t, "kind")
				if !r.Map(uint64(first)*PageSize, uint64(after)*PageSize, p, k) {
					t.Fatal("no room")
				}
				for i := first; i < after; i++ {
					m[i].mapped, m[i].prot, m[i].kind = true, p, k
				}
			},
			"unmap": func(t *rapid.T) {
				first, after := drawSpan(t)
				if !r.Unmap(uint64(first)*PageSize, uint64(after)*PageSize) {
					t.Fatal("no room")
				}
				for i := first; i < after; i++ {
					m[i] = pageMap{}[0]
				}
			},
			"protect": func(t *rapid.T) {
				first, after := drawSpan(t)
				p := prot.Draw(t, "protection")
				ok := r.Protect(uint64(first)*PageSize, uint64(after)*PageSize, p)
				if ok != m.covered(first, after) {
					t.Fatalf("protect of pages %d to %d answers %v", first, after, ok)
				}
				for i := first; ok && i < after; i++ {
					m[i].prot = p
				}
			},
			"find": func(t *rapid.T) {
				page := rapid.IntRange(0, modelPages-1).Draw(t, "page")
				got, ok := r.Find(uint64(page)*PageSize + PageSize - 1)
				if ok != m[page].mapped || ok && (got.Protection != m[page].prot || got.Kind != m[page].kind) {
					t.Fatalf("page %d found as %+v, %v", page, got, ok)
				}
			},
			"findfree": func(t *rapid.T) {
				low, high := drawSpan(t)
				pages := rapid.IntRange(1, modelPages).Draw(t, "pages")
				hint := rapid.Uint64Range(0, (modelPages+8)*PageSize).Draw(t, "hint")
				checkFindFree(t, &r, &m, hint, pages, low, high)
			},
			"": func(t *rapid.T) { checkModel(t, &r, &m) },
		})
	})
}

func checkFindFree(t *rapid.T, r *Regions, m *pageMap, hint uint64, pages, low, high int) {
	exists := false
	for i := low; i+pages <= high; i++ {
		exists = exists || m.free(i, i+pages)
	}
	got, ok := r.FindFree(hint, uint64(pages)*PageSize, uint64(low)*PageSize, uint64(high)*PageSize)
	if ok != exists {
		t.Fatalf("%d free pages in [%d, %d): answer %v, want %v", pages, low, high, ok, exists)
	}
	if !ok {
		return
	}
	first := int(got / PageSize)
	if got%PageSize != 0 || first < low || first+pages > high || !m.free(first, first+pages) {
		t.Fatalf("%d free pages in [%d, %d): got %#x, which is not", pages, low, high, got)
	}
	page := int(hint / PageSize)
	if hint%PageSize == 0 && page >= low && page+pages <= high && m.free(page, page+pages) && got != hint {
		t.Fatalf("free hint %#x not honoured: %#x", hint, got)
	}
}

// fill gives r as many regions as it can hold, one page each with a page between.
func fill(t *testing.T, r *Regions) {
	for i := uint64(0); i < MaxRegions; i++ {
		if !r.Map(2*i*PageSize, (2*i+1)*PageSize, Readable, 0) {
			t.Fatalf("region %d of %d refused", i, MaxRegions)
		}
	}
}

func TestFullRegionsRefuseAndStayAsTheyWere(t *testing.T) {
	var r Regions
	fill(t, &r)
	// The last one becomes three pages, so that it can be cut in its middle.
	const last = 2 * (MaxRegions - 1) * PageSize
	if !r.Map(last, last+3*PageSize, Readable, 0) {
		t.Fatal("a region in place of its beginning needs no room")
	}
	before := r.all()
	const end = 4 * MaxRegions * PageSize
	for name, refused := range map[string]bool{
		"map behind":          r.Map(end, end+PageSize, Readable, 0),
		"map in the middle":   r.Map(last+PageSize, last+2*PageSize, Writable, 0),
		"map one end":         r.Map(last, last+PageSize, Writable, 0),
		"map in a gap":        r.Map(PageSize, 2*PageSize, Writable, 0),
		"unmap in the middle": r.Unmap(last+PageSize, last+2*PageSize),
		"protect the middle":  r.Protect(last+PageSize, last+2*PageSize, Writable),
		"protect one end":     r.Protect(last+PageSize, last+3*PageSize, Writable),
	} {
		if refused {
			t.Errorf("%s: done without room", name)
		}
	}
	if after := r.all(); !slices.Equal(before, after) {
		t.Fatalf("%d regions, before %d, or changed ones", len(after), len(before))
	}
}

func TestFullRegionsStillTakeWhatNeedsNoRoom(t *testing.T) {
	var r Regions
	fill(t, &r)
	for name, done := range map[string]bool{
		"map alike in a gap": r.Map(PageSize, 2*PageSize, Readable, 0),        // joins two neighbours: one fewer
		"map over several":   r.Map(10*PageSize, 20*PageSize, Writable, 0),    // five become one
		"protect a whole":    r.Protect(30*PageSize, 31*PageSize, Executable), // as many as before
		"unmap a whole":      r.Unmap(40*PageSize, 41*PageSize),               // one fewer
		"unmap a gap":        r.Unmap(41*PageSize, 42*PageSize),               // nothing there
	} {
		if !done {
			t.Errorf("%s: refused", name)
		}
	}
	if want := MaxRegions - 1 - 4 - 1; r.Count() != want {
		t.Errorf("%d regions, want %d", r.Count(), want)
	}
}

func TestFullRegionsLetABorderMove(t *testing.T) {
	var r Regions
	fill(t, &r)
	const a = 10 * PageSize // a one-page region, a gap, a region: make it two that touch
	if !r.Unmap(12*PageSize, 13*PageSize) || !r.Map(a+PageSize, a+3*PageSize, Writable, 0) {
		t.Fatal("two for two refused")
	}
	if !r.Protect(a+PageSize, a+2*PageSize, Readable) {
		t.Error("the border cannot move up")
	}
	if !r.Protect(a+PageSize, a+3*PageSize, Writable) {
		t.Error("the border cannot move down")
	}
	if want := MaxRegions; r.Count() != want {
		t.Errorf("%d regions, want %d", r.Count(), want)
	}
}

func TestRegionsReachTheTopOfTheAddressSpace(t *testing.T) {
	var r Regions
	const top = 1<<64 - PageSize
	if !r.Map(top-PageSize, top, Readable, 0) {
		t.Fatal("refused")
	}
	if at, ok := r.FindFree(top, PageSize, top-PageSize, top); ok {
		t.Errorf("found %#x in a full range", at)
	}
	if _, ok := r.FindFree(0, top, PageSize, top); ok {
		t.Error("found a span longer than its range")
	}
}

func TestSpansThatAreNotWholePagesPanic(t *testing.T) {
	var r Regions
	for name, call := range map[string]func(){
		"empty":     func() { r.Map(PageSize, PageSize, 0, 0) },
		"backwards": func() { r.Unmap(2*PageSize, PageSize) },
		"crooked":   func() { r.Protect(1, PageSize, 0) },
		"no length": func() { r.FindFree(0, 0, 0, PageSize) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() != &faultSpan {
					t.Error("no panic about the span")
				}
			}()
			call()
		})
	}
}

func TestRegionsDoNotAllocate(t *testing.T) {
	r := new(Regions)
	if n := testing.AllocsPerRun(100, func() {
		r.Reset()
		r.Map(0, 16*PageSize, Readable, 0)
		r.Protect(4*PageSize, 8*PageSize, Writable)
		r.Unmap(6*PageSize, 7*PageSize)
		r.Find(5 * PageSize)
		r.FindFree(0, PageSize, 0, 64*PageSize)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestRegionsComeAndGoWithoutEnd(t *testing.T) {
	r := new(Regions)
	for i := range uint64(3 * MaxRegions) {
		at := i % 7 * 4 * PageSize
		if !r.Map(at, at+3*PageSize, Readable, 0) || !r.Unmap(at+PageSize, at+2*PageSize) || !r.Unmap(at, at+3*PageSize) {
			t.Fatal("no room for two regions in round", i)
		}
	}
	if r.Count() != 0 {
		t.Errorf("%d regions are left", r.Count())
	}
}

func TestLimitBoundsTheRegionsOfAChange(t *testing.T) {
	var r Regions
	fill(t, &r)
	const end = 2 * MaxRegions * PageSize
	pieces := 0
	for at := uint64(0); at < end; pieces++ {
		to := r.Limit(at, end, 64)
		before := r.Count()
		if to <= at || !r.Unmap(at, to) {
			t.Fatalf("from %#x to %#x", at, to)
		}
		if before-r.Count() > 64 {
			t.Fatalf("%d regions from %#x to %#x, want 64 at most", before-r.Count(), at, to)
		}
		at = to
	}
	if pieces != MaxRegions/64 || r.Count() != 0 {
		t.Errorf("%d pieces, %d regions left, want %d and none", pieces, r.Count(), MaxRegions/64)
	}
}
