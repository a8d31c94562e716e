package boot

import (
	"syscall"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// fakeRAM makes the direct map lead to memory of the test, of which only what is
// touched costs anything. Tests that use it do not run in parallel.
func fakeRAM(t testing.TB, size uint64) {
	memory, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	before := window
	window = uintptr(unsafe.Pointer(&memory[0]))
	t.Cleanup(func() {
		window = before
		_ = syscall.Munmap(memory)
	})
}

const (
	mib = 1 << 20
	gib = 1 << 30
)

// framesOf prepares an allocator for a machine with such RAM, and opens it.
func framesOf(t testing.TB, image Range, ranges ...Range) (*Frames, *Info) {
	fakeRAM(t, ranges[len(ranges)-1].End)
	f, info := new(Frames), new(Info)
	for _, r := range ranges {
		info.addMemory(r)
	}
	if !f.prepare(info, image) {
		t.Fatal("no room for the descriptors")
	}
	return f, info
}

// pagesOf lists the whole pages of RAM that nobody has at boot.
func pagesOf(info *Info, t *taken) map[uint64]bool {
	pages := map[uint64]bool{}
	for _, r := range info.Memory[:info.MemoryCount] {
	pages:
		for page := pageUp(r.Start); page+PageSize <= r.End; page += PageSize {
			for _, other := range t {
				if other.Start < page+PageSize && page < other.End {
					continue pages
				}
			}
			pages[page] = true
		}
	}
	return pages
}

var someImage = Range{0x1ff0000, 0x2345000}

// TestEveryFrameIsHandedOutOnce holds the allocator to a list of pages, over maps
// with holes, fragments that are no whole block, and an image anywhere.
func TestEveryFrameIsHandedOutOnce(t *testing.T) {
	for name, ranges := range map[string][]Range{
		"one":        {{0, 48 * mib}},
		"fragments":  {{0, 0x9fc00}, {mib, 3*mib + 0x800}, {3*mib + 0x2000, 3*mib + 0x3000}, {5*mib + 0x1000, 50*mib - 0x1000}},
		"with holes": {{0, 0x9f000}, {mib, 37 * mib}, {40 * mib, 41*mib + 0x1000}, {5 * gib, 5*gib + 3*mib + 0x4000}},
		"odd blocks": {{0x100000, 0x2000000 + 0x3000}, {0x2200000, 0x2801000}},
	} {
		t.Run(name, func(t *testing.T) {
			f, info := framesOf(t, someImage, ranges...)
			f.open(info)
			want := pagesOf(info, &taken{{0, lowMemory}, someImage, {f.descriptors, f.descriptors + f.descriptorBytes()}})
			if f.Total() != uint64(len(want)) || f.Free() != f.Total() {
				t.Fatalf("%d frames, %d free, want %d", f.Total(), f.Free(), len(want))
			}
			for i := 1; i < f.count; i++ {
				if f.spans[i].first < f.spans[i-1].after {
					t.Errorf("a block has two descriptors: %v", f.spans[:f.count])
				}
			}
			var all []uint64
			for frame := f.TakeReserved(); frame != 0; frame = f.TakeReserved() {
				if !want[frame] {
					t.Fatalf("frame %#x is not RAM, or was handed out twice", frame)
				}
				delete(want, frame)
				all = append(all, frame)
			}
			if len(want) != 0 || f.Free() != 0 {
				t.Fatalf("%d frames never came, %d are said to be free", len(want), f.Free())
			}
			whole := f.countWhole()
			for _, frame := range all {
				f.Return(frame)
			}
			if f.Free() != f.Total() || whole != 0 || f.countWhole() == 0 {
				t.Errorf("%d of %d frames came back, %d whole blocks, before %d", f.Free(), f.Total(), f.countWhole(), whole)
			}
		})
	}
}

// descriptorBytes is the room of the descriptors, in whole pages.
func (f *Frames) descriptorBytes() uint64 {
	last := &f.spans[f.count-1]
	return pageUp((uint64(last.index) + last.after - last.first) * descriptorSize)
}

func (f *Frames) countWhole() (n int) {
	for i := f.whole; i != 0; i = f.at(i).next {
		n++
	}
	return n
}

// TestFramesAgreeWithASet draws what callers do, against a set of what is out.
func TestFramesAgreeWithASet(t *testing.T) {
	f, info := framesOf(t, someImage, Range{0, 0x9fc00}, Range{mib, 44*mib + 0x5000}, Range{5 * gib, 5*gib + 9*mib})
	f.open(info)
	total := f.Total()
	rapid.Check(t, func(t *rapid.T) {
		out, blocks := map[uint64]bool{}, map[uint64]bool{}
		taken := func(frame uint64) {
			if out[frame] || blocks[frame&^(BlockSize-1)] {
				t.Fatalf("frame %#x is out twice", frame)
			}
			out[frame] = true
		}
		pick := func(from map[uint64]bool) uint64 {
			for key := range from {
				delete(from, key)
				return key
			}
			return 0
		}
		t.Repeat(map[string]func(*rapid.T){
			"take": func(t *rapid.T) {
				for range rapid.IntRange(1, 700).Draw(t, "n") {
					frame := f.Take()
					if frame == 0 {
						if f.Free() > reserve {
							t.Fatalf("nothing to take of %d", f.Free())
						}
						return
					}
					taken(frame)
				}
			},
			"return": func(t *rapid.T) {
				for range rapid.IntRange(1, 700).Draw(t, "n") {
					if frame := pick(out); frame != 0 {
						f.Return(frame)
					}
				}
			},
			"take a block": func(t *rapid.T) {
				leave := rapid.Uint64Range(0, total).Draw(t, "leave")
				whole, free := f.countWhole(), f.Free()
				block := f.TakeBlock(leave)
				if (block != 0) != (whole > 0 && free >= leave+blockFrames) || block%BlockSize != 0 {
					t.Fatalf("block %#x of %d, %d frames free, %d to leave", block, whole, free, leave)
				}
				if block != 0 {
					blocks[block] = true
				}
			},
			"return a block": func(*rapid.T) {
				if block := pick(blocks); block != 0 {
					f.ReturnBlock(block)
				}
			},
			"split a block": func(*rapid.T) {
				if block := pick(blocks); block != 0 {
					for at := block; at < block+BlockSize; at += PageSize {
						taken(at)
					}
				}
			},
			"take a run": func(t *rapid.T) {
				n := rapid.Uint64Range(1, 40).Draw(t, "n")
				if first := f.TakeRun(n); first != 0 {
					for i := range n {
						taken(first + i*PageSize)
					}
				}
			},
			"": func(t *rapid.T) {
				if used := uint64(len(out) + len(blocks)*blockFrames); f.Free()+used != total {
					t.Fatalf("%d free and %d used of %d", f.Free(), used, total)
				}
			},
		})
		for frame := range out {
			f.Return(frame)
		}
		for block := range blocks {
			f.ReturnBlock(block)
		}
	})
}

func TestSingleFramesComeFromUsedBlocks(t *testing.T) {
	f, info := framesOf(t, someImage, Range{mib, 64 * mib})
	f.open(info)
	for i := 0; i < 4*blockFrames && f.partly != 0; i++ {
		f.Take() // the fragments at the ends and around the image
	}
	whole := f.countWhole()
	var out []uint64
	for range 2 * blockFrames {
		out = append(out, f.Take())
	}
	if got := whole - f.countWhole(); got != 2 {
		t.Errorf("two blocks' worth of frames came from %d blocks", got)
	}
	for i, frame := range out {
		f.Return(frame)
		if i == blockFrames && f.countWhole() != whole-1 {
			t.Errorf("%d whole blocks, want %d: a block that came back is not whole", f.countWhole(), whole-1)
		}
	}
}

// TestFirstTablesBoundWhatIsHandedOut: a frame above 4 GiB could not be reached.
func TestFirstTablesBoundWhatIsHandedOut(t *testing.T) {
	f, info := framesOf(t, someImage, Range{mib, 40 * mib}, Range{4*gib - 3*mib - 0x1000, 4*gib + 0x5000}, Range{6 * gib, 6*gib + 0x7000})
	low := f.Free()
	for frame := f.TakeReserved(); frame != 0; frame = f.TakeReserved() {
		if frame >= firstReach {
			t.Fatalf("frame %#x came under the first tables", frame)
		}
	}
	f.open(info)
	if got, want := f.Free(), uint64(0x5000+0x7000)/PageSize; got != want || f.Total() != low+want {
		t.Errorf("%d frames more when all RAM is open, want %d; %d in all", got, want, f.Total())
	}
}

// TestSixtyFourGiBWithHoles also shows what an allocator for them costs.
func TestSixtyFourGiBWithHoles(t *testing.T) {
	f, info := framesOf(t, someImage, Range{0, 0x9fc00}, Range{mib, 2 * gib}, Range{4 * gib, 30 * gib}, Range{32 * gib, 70 * gib})
	f.open(info)
	if want := uint64(66*gib-mib)/PageSize - 0x355 - f.descriptorBytes()/PageSize; f.Total() != want {
		t.Errorf("%d frames, want %d", f.Total(), want)
	}
	if got := f.descriptorBytes(); got > 3*mib {
		t.Errorf("the descriptors take %d bytes", got)
	}
	blocks := 0
	for block := f.TakeBlock(0); block != 0; block = f.TakeBlock(0) {
		if block >= 2*gib && block < 4*gib || block >= 30*gib && block < 32*gib {
			t.Fatalf("block %#x lies in a hole", block)
		}
		blocks++
	}
	if blocks < 66*512-6 {
		t.Errorf("%d blocks of 66 GiB", blocks)
	}
}

func TestReserveIsForNeedsThatMustNotFail(t *testing.T) {
	f, info := framesOf(t, someImage, Range{mib, 24 * mib})
	f.open(info)
	for f.Take() != 0 {
	}
	n := 0
	for f.TakeReserved() != 0 {
		n++
	}
	if n != reserve {
		t.Errorf("the reserve was %d frames, want %d", n, reserve)
	}
}

func TestFramesThatComeBackWronglyPanic(t *testing.T) {
	f, info := framesOf(t, someImage, Range{mib, 24 * mib})
	f.open(info)
	frame, block := f.Take(), f.TakeBlock(0)
	f.Return(frame)
	f.ReturnBlock(block)
	for name, call := range map[string]struct {
		call func()
		want *frameFault
	}{
		"twice":         {func() { f.Return(frame) }, &faultReturned},
		"a block twice": {func() { f.ReturnBlock(block) }, &faultReturned},
		"of a block":    {func() { f.Return(block) }, &faultReturned},
		"no RAM":        {func() { f.Return(40 * mib) }, &faultNoFrame},
		"no RAM, block": {func() { f.ReturnBlock(40 * mib) }, &faultNoFrame},
		"crooked block": {func() { f.ReturnBlock(block + PageSize) }, &faultNoFrame},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				f.release()
				if got := recover(); got != call.want {
					t.Errorf("panic %v, want %v", got, call.want)
				}
			}()
			call.call()
		})
	}
}

func BenchmarkTakeAndReturn(b *testing.B) {
	f, info := framesOf(b, someImage, Range{mib, 2 * gib}, Range{4 * gib, 66 * gib})
	f.open(info)
	for b.Loop() {
		f.Return(f.Take())
	}
}
