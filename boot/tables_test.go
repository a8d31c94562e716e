package boot

import (
	"testing"

	"pgregory.net/rapid"
)

// tablesOf makes an empty program's tables with a kernel's part above them.
func tablesOf(t testing.TB, size uint64) *Tables {
	RAM = Frames{}
	fakeRAM(t, size)
	info := new(Info)
	info.addMemory(Range{mib, size})
	if !RAM.prepare(info, Range{2 * mib, 4 * mib}) {
		t.Fatal("no room for the descriptors")
	}
	RAM.open(info)
	before := Root
	t.Cleanup(func() { Root, RAM = before, Frames{} })
	Root = RAM.TakeClear()
	tableAt(Root)[firstKernelSlot] = 0x123003
	tables := new(Tables)
	if !tables.Init() {
		t.Fatal("no frame for the top-level table")
	}
	return tables
}

// modelPage is what a page of the model is: the frame and how it is mapped.
type modelPage struct{ physical, bits uint64 }

// model is the naive tables: pages, and which blocks of them are large pages.
type model struct {
	pages map[uintptr]modelPage
	large map[uintptr]bool
}

// bases are where the model's addresses lie: they share tables of every level, or none.
var bases = [...]uintptr{0, 2 << 30, 5 << 39, 100<<39 + 0x3fe00000, 0x7dff<<32 + 0xfc000000}

func (m *model) check(t *rapid.T, tables *Tables) {
	small, large := uint64(0), uint64(0)
	for va, want := range m.pages {
		var got Page
		tables.Look(va+5, &got)
		block := va &^ (BlockSize - 1)
		if got.Physical != want.physical+5 || got.Bits != want.bits || got.Large != m.large[block] {
			t.Fatalf("page %#x is %+v, want %+v, large %v", va, got, want, m.large[block])
		}
		if !got.Large {
			small++
		} else if va == block {
			large++
		}
	}
	if tables.Small != small || tables.Large != large {
		t.Fatalf("%d small and %d large pages, want %d and %d", tables.Small, tables.Large, small, large)
	}
	if want := m.tables(); tables.Count != want {
		t.Fatalf("%d tables, want %d", tables.Count, want)
	}
}

// tables counts the tables that the pages need.
func (m *model) tables() uint64 {
	need := map[[2]uintptr]bool{}
	for va := range m.pages {
		for level := 0; level < 3; level++ {
			if level > 0 || !m.large[va&^(BlockSize-1)] {
				need[[2]uintptr{uintptr(level), va / spanOf(level+1)}] = true
			}
		}
	}
	return uint64(len(need)) + 1
}

// split makes small pages of the large one in whose middle va falls.
func (m *model) split(va uintptr) {
	if va%BlockSize != 0 {
		delete(m.large, va&^(BlockSize-1))
	}
}

func drawRange(t *rapid.T) (at, end uintptr) {
	const pages = 5 * blockFrames
	base := rapid.SampledFrom(bases[:]).Draw(t, "base")
	first := rapid.IntRange(0, pages-1).Draw(t, "first")
	after := rapid.IntRange(first+1, pages).Draw(t, "after")
	if rapid.Bool().Draw(t, "whole blocks") {
		first, after = first/blockFrames*blockFrames, (after/blockFrames+1)*blockFrames
	}
	return base + uintptr(first)*PageSize, base + uintptr(after)*PageSize
}

// TestTablesAgreeWithAListOfPages draws what calls do with pages. All changes of
// ranges go in pieces, and at the end nothing is left, of RAM either.
func TestTablesAgreeWithAListOfPages(t *testing.T) {
	tables := tablesOf(t, 96*mib)
	total := RAM.Free()
	rapid.Check(t, func(t *rapid.T) {
		m := model{map[uintptr]modelPage{}, map[uintptr]bool{}}
		// pieces goes over a range as a call does, and checks what a piece may be.
		pieces := func(at, end uintptr, change func(at, next uintptr)) {
			for _, va := range []uintptr{at, end} {
				var page Page
				if tables.Look(va, &page); va%BlockSize == 0 || !page.Large {
					continue
				}
				tables.SetBits(va, page.Bits&^Present)
				if !tables.Split(va, page.Bits) {
					t.Fatal("no frame for a split")
				}
				m.split(va)
			}
			for at < end {
				next := tables.Extent(at, end)
				if next <= at || next > end || next%PageSize != 0 {
					t.Fatalf("a piece of [%#x, %#x) ends at %#x", at, end, next)
				}
				change(at, next)
				at = next
			}
		}
		clear := func(at, end uintptr) {
			pieces(at, end, func(at, next uintptr) {
				var loose Loose
				tables.Clear(at, next, &loose)
				if loose.n > pieceWork {
					t.Fatalf("a piece took %d frames out", loose.n)
				}
				loose.Return()
			})
			for va := at; va < end; va += PageSize {
				delete(m.pages, va)
			}
			for block := at &^ (BlockSize - 1); block < end; block += BlockSize {
				if block >= at && block+BlockSize <= end {
					delete(m.large, block)
				}
			}
		}
		drawBits := func(t *rapid.T) uint64 {
			return rapid.SampledFrom([]uint64{Present | NoExecute, Present | Writable | NoExecute, Present, NoExecute}).Draw(t, "bits")
		}
		t.Repeat(map[string]func(*rapid.T){
			"put pages": func(t *rapid.T) {
				at, end := drawRange(t)
				bits, stride := drawBits(t), uintptr(rapid.IntRange(1, 300).Draw(t, "stride"))
				for va := at; va < end; va += stride * PageSize {
					if _, there := m.pages[va]; there || RAM.Free() < 2*reserve {
						continue
					}
					frame := RAM.Take()
					if !tables.Put(va, frame, bits, 0) {
						t.Fatal("no frame for a table")
					}
					m.pages[va] = modelPage{frame, bits}
				}
			},
			"put a block": func(t *rapid.T) {
				at, _ := drawRange(t)
				at &^= BlockSize - 1
				var page Page
				fits := true
				for va := at; va < at+BlockSize; va += PageSize {
					_, there := m.pages[va]
					fits = fits && !there
				}
				if tables.Look(at, &page); page.Fits != fits {
					t.Fatalf("a large page fits at %#x: %v, want %v", at, page.Fits, fits)
				}
				if block := RAM.TakeBlock(2 * reserve); fits && block != 0 {
					bits := drawBits(t)
					if !tables.Put(at, block, LargeBits(bits), 1) {
						t.Fatal("no frame for a table")
					}
					m.large[at] = true
					for i := range uintptr(blockFrames) {
						m.pages[at+i*PageSize] = modelPage{block + uint64(i)*PageSize, bits}
					}
				} else if block != 0 {
					RAM.ReturnBlock(block)
				}
			},
			"clear": func(t *rapid.T) { clear(drawRange(t)) },
			"protect": func(t *rapid.T) {
				at, end := drawRange(t)
				bits, changed, any := drawBits(t), false, false
				pieces(at, end, func(at, next uintptr) { changed = tables.SetRange(at, next, bits) || changed })
				for va := at; va < end; va += PageSize {
					if p, there := m.pages[va]; there {
						m.pages[va] = modelPage{p.physical, bits}
						any = true
					}
				}
				if changed != any {
					t.Fatalf("a change of pages in [%#x, %#x): %v, want %v", at, end, changed, any)
				}
			},
			"set one": func(t *rapid.T) {
				for va := range m.pages {
					if !m.large[va&^(BlockSize-1)] {
						bits := drawBits(t)
						tables.SetBits(va, bits)
						m.pages[va] = modelPage{m.pages[va].physical, bits}
					}
					return
				}
			},
			"": func(t *rapid.T) { m.check(t, tables) },
		})
		for _, base := range bases {
			clear(base, base+6*BlockSize)
		}
		if RAM.Free() != total || tables.Count != 1 || tableAt(tables.Root)[firstKernelSlot] != 0x123003 {
			t.Fatalf("%d of %d frames are left, %d tables", RAM.Free(), total, tables.Count)
		}
	})
}

// TestPiecesAreBoundedAndLong counts those of a dense and of an empty range.
func TestPiecesAreBoundedAndLong(t *testing.T) {
	tables := tablesOf(t, 96*mib)
	for va := uintptr(0); va < 16*mib; va += PageSize {
		tables.Put(va, RAM.Take(), Present, 0)
	}
	for va := uintptr(2 << 30); va < 2<<30+128*mib; va += 2 * BlockSize {
		tables.Put(va, 0x123<<blockShift, LargeBits(Present), 1)
	}
	for _, c := range []struct {
		name        string
		at, end     uintptr
		least, most int
	}{
		{"dense", 0, 16 * mib, 26, 38},
		{"a page in each table, then nothing", 16*mib - PageSize, 1 << 30, 1, 2},
		{"every other a large page", 2 << 30, 2<<30 + 128*mib, 2, 4},
		{"nothing", 1 << 40, 1 << 46, 4, 8},
	} {
		pieces := 0
		for at := c.at; at < c.end; pieces++ {
			at = tables.Extent(at, c.end)
		}
		if pieces < c.least || pieces > c.most {
			t.Errorf("%s: %d pieces, want %d to %d", c.name, pieces, c.least, c.most)
		}
	}
}
