package boot

import (
	"testing"

	"pgregory.net/rapid"
)

// entry is a line of a firmware memory map.
type entry struct {
	start, size uint64
	kind        uint32
}

const typeReserved = 2

// startInfo writes a PVH start info with its command line and map into memory.
func startInfo(m *memory, line string, entries []entry) (address uint64) {
	const info, text, table = 0x100, 0x1000, 0x4000
	m.put32(info, startMagic)
	m.put32(info+startVersion, 1)
	m.put64(info+startCommand, text)
	m.put64(info+startRSDP, 0xf5a20)
	m.put64(info+startMap, table)
	m.put32(info+startMapLen, uint32(len(entries)))
	m.putText(text, line+"\x00")
	for i, e := range entries {
		at := uint64(table + i*entrySize)
		m.put64(at+entryStart, e.start)
		m.put64(at+entryLength, e.size)
		m.put32(at+entryType, e.kind)
	}
	return info
}

func readMap(t *testing.T, entries []entry) (*Info, Problem) {
	m := newMemory(t)
	info := new(Info)
	problem := ReadStartInfo(m.physical(), startInfo(m, "", entries), info)
	return info, problem
}

func TestMemoryMapOfQEMU(t *testing.T) {
	info, problem := readMap(t, []entry{
		{0x0, 0x9fc00, typeRAM},
		{0x9fc00, 0x400, typeReserved},
		{0xf0000, 0x10000, typeReserved},
		{0x100000, 0x7fedf000, typeRAM},
		{0x7ffdf000, 0x21000, typeReserved},
		{0xfffc0000, 0x40000, typeReserved},
		{0x100000000, 0x80000000, typeRAM},
	})
	want := []Range{{0, 0x9fc00}, {0x100000, 0x7ffdf000}, {0x100000000, 0x180000000}}
	wantMemory(t, info, want, 0)
	if problem != NoProblem || info.RSDP != 0xf5a20 {
		t.Errorf("problem %q, RSDP %#x", problem.Text(), info.RSDP)
	}
	if got := info.MemoryBytes(); got != 0x9fc00+0x7fedf000+0x80000000 {
		t.Errorf("%#x bytes", got)
	}
}

func wantMemory(t *testing.T, info *Info, want []Range, leftOut int) {
	t.Helper()
	got := info.Memory[:info.MemoryCount]
	same := len(got) == len(want) && info.MemoryLeftOut == leftOut
	for i := 0; same && i < len(want); i++ {
		same = got[i] == want[i]
	}
	if !same {
		t.Errorf("memory %#x, %d left out, want %#x, %d", got, info.MemoryLeftOut, want, leftOut)
	}
}

func TestMemoryMapOutOfOrderOverlappingAndWrapping(t *testing.T) {
	for name, c := range map[string]struct {
		entries []entry
		want    []Range
	}{
		"out of order": {[]entry{{0x5000, 0x1000, 1}, {0x1000, 0x1000, 1}}, []Range{{0x1000, 0x2000}, {0x5000, 0x6000}}},
		"touching":     {[]entry{{0x1000, 0x1000, 1}, {0x2000, 0x1000, 1}}, []Range{{0x1000, 0x3000}}},
		"touching up":  {[]entry{{0x2000, 0x1000, 1}, {0x1000, 0x1000, 1}}, []Range{{0x1000, 0x3000}}},
		"overlapping":  {[]entry{{0x1000, 0x3000, 1}, {0x2000, 0x4000, 1}}, []Range{{0x1000, 0x6000}}},
		"bridged":      {[]entry{{0x1000, 0x1000, 1}, {0x4000, 0x1000, 1}, {0x1800, 0x3000, 1}}, []Range{{0x1000, 0x5000}}},
		"hole":         {[]entry{{0x2000, 0x1000, 2}, {0x1000, 0x4000, 1}}, []Range{{0x1000, 0x2000}, {0x3000, 0x5000}}},
		"taken whole":  {[]entry{{0x1000, 0x1000, 1}, {0, 0x8000, 3}, {0x9000, 0x1000, 1}}, []Range{{0x9000, 0xa000}}},
		"taken ends":   {[]entry{{0x1000, 0x4000, 1}, {0, 0x2000, 4}, {0x4000, 0x2000, 5}}, []Range{{0x2000, 0x4000}}},
		"empty":        {[]entry{{0x1000, 0, 1}, {0x2000, 0x1000, 1}, {0x2800, 0, 2}}, []Range{{0x2000, 0x3000}}},
		"wrapping":     {[]entry{{0x1000, ^uint64(0), 1}}, []Range{{0x1000, maxPhysical}}},
		"far above":    {[]entry{{^uint64(0) - 5, 100, 1}, {0x1000, 0x1000, 1}}, []Range{{0x1000, 0x2000}}},
	} {
		t.Run(name, func(t *testing.T) {
			info, _ := readMap(t, c.entries)
			wantMemory(t, info, c.want, 0)
		})
	}
}

func TestMemoryMapAgreesWithAPageMap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const pages = 64
		var entries []entry
		var ram, other [pages]bool
		for range rapid.IntRange(1, 20).Draw(rt, "entries") {
			first := rapid.IntRange(0, pages-1).Draw(rt, "first")
			count := rapid.IntRange(0, pages-first).Draw(rt, "pages")
			kind := rapid.Uint32Range(0, 3).Draw(rt, "type")
			entries = append(entries, entry{uint64(first), uint64(count), kind})
			for p := first; p < first+count; p++ {
				ram[p] = ram[p] || kind == typeRAM
				other[p] = other[p] || kind != typeRAM
			}
		}
		info, _ := readMap(t, entries)
		var got [pages]bool
		for i, r := range info.Memory[:info.MemoryCount] {
			if r.Start >= r.End || i > 0 && r.Start <= info.Memory[i-1].End {
				rt.Fatalf("ranges %v are not ascending and apart", info.Memory[:info.MemoryCount])
			}
			for p := r.Start; p < r.End; p++ {
				got[p] = true
			}
		}
		for p := range got {
			if got[p] != (ram[p] && !other[p]) {
				rt.Fatalf("page %d usable: %v; RAM %v, other %v", p, got[p], ram[p], other[p])
			}
		}
	})
}

func TestMemoryMapOfManyRangesSaysHowManyAreLeftOut(t *testing.T) {
	var entries []entry
	for i := range uint64(MaxRanges + 7) {
		entries = append(entries, entry{i * 0x2000, 0x1000, typeRAM})
	}
	info, problem := readMap(t, entries)
	if info.MemoryCount != MaxRanges || info.MemoryLeftOut != 7 || problem != NoProblem {
		t.Errorf("%d kept, %d left out, problem %q", info.MemoryCount, info.MemoryLeftOut, problem.Text())
	}
	// A hole in a range of a full list leaves out the smaller part.
	entries = append(entries[:MaxRanges], entry{0x2000*5 + 0x100, 0x100, typeReserved})
	info, _ = readMap(t, entries)
	if r := (Range{0x2000*5 + 0x200, 0x2000*5 + 0x1000}); info.Memory[5] != r || info.MemoryLeftOut != 1 {
		t.Errorf("kept %#x, %d left out, want %#x, 1", info.Memory[5], info.MemoryLeftOut, r)
	}
}

func TestStartInfoThatIsNoneIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(m *memory)
		want   Problem
	}{
		"magic":          {func(m *memory) { m.put32(0x100, startMagic+1) }, BadStartInfo},
		"version":        {func(m *memory) { m.put32(0x100+startVersion, 0) }, BadStartInfo},
		"no entries":     {func(m *memory) { m.put32(0x100+startMapLen, 0) }, BadMemoryMap},
		"entries":        {func(m *memory) { m.put32(0x100+startMapLen, 1<<31) }, BadMemoryMap},
		"map not mapped": {func(m *memory) { m.put64(0x100+startMap, ^uint64(0)-10) }, BadMemoryMap},
		"no RAM":         {func(m *memory) { m.put32(0x4000+entryType, typeReserved) }, BadMemoryMap},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMemory(t)
			at := startInfo(m, "trace=on", []entry{{0x1000, 0x1000, typeRAM}})
			c.damage(m)
			if got := ReadStartInfo(m.physical(), at, new(Info)); got != c.want || got.Text() == "" {
				t.Errorf("problem %q, want %q", got.Text(), c.want.Text())
			}
		})
	}
	m := newMemory(t)
	for _, at := range []uint64{m.size - 8, m.size, ^uint64(0)} {
		if got := ReadStartInfo(m.physical(), at, new(Info)); got != BadStartInfo {
			t.Errorf("start info at %#x: problem %q", at, got.Text())
		}
	}
}

func TestCommandLineIsCopiedUpToItsLimit(t *testing.T) {
	for _, length := range []int{0, 1, MaxCommandLine - 1, MaxCommandLine, MaxCommandLine + 1} {
		line := make([]byte, length)
		for i := range line {
			line[i] = byte('a' + i%26)
		}
		m := newMemory(t)
		info := new(Info)
		ReadStartInfo(m.physical(), startInfo(m, string(line), []entry{{0, 0x1000, typeRAM}}), info)
		kept := min(length, MaxCommandLine)
		if got := string(info.CommandLine[:info.CommandLineLength]); got != string(line[:kept]) || info.CommandLineCut != (length > kept) {
			t.Errorf("of %d bytes %d are kept, cut %v", length, len(got), info.CommandLineCut)
		}
	}
}

func FuzzReadStartInfo(f *testing.F) {
	f.Add([]byte{}, uint64(0))
	good := newMemory(f)
	at := startInfo(good, "trace=on -- a b", []entry{{0, 0x9000, 1}, {0x4000, 0x100, 2}})
	f.Add(good.bytes[:0x4100], at)
	f.Fuzz(func(t *testing.T, bytes []byte, at uint64) {
		m := newMemory(t)
		copy(m.bytes, bytes)
		info := new(Info)
		ReadStartInfo(m.physical(), at, info)
		for i, r := range info.Memory[:info.MemoryCount] {
			if r.Start >= r.End || r.End > maxPhysical || i > 0 && r.Start <= info.Memory[i-1].End {
				t.Fatalf("ranges %#x", info.Memory[:info.MemoryCount])
			}
		}
	})
}
