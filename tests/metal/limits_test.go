package metal

import (
	"debug/elf"
	"flag"
	"strings"
	"testing"

	"hearth/cpu"
)

var large = flag.Bool("large", false, "boot 255 CPUs, too, which takes minutes on a busy host")

var limitsClaims = []string{"a_word_goes_round_all_cpus", "memory_keeps_what_is_written"}

// TestManyCPUsComeUp boots as many CPUs as APIC ids of eight bits can name.
func TestManyCPUsComeUp(t *testing.T) {
	t.Parallel()
	counts := []int{64}
	if *large {
		counts = append(counts, 255)
	}
	for _, n := range counts {
		m := machine(n, 1, 1)
		m.MemoryBytes = 1 << 30
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			r := mustPass(t, m, "limits")
			checkTree(t, r, shapeOf(m), m.MemoryBytes)
			checkClaims(t, r, limitsClaims)
			if said(r, "left out") || said(r, "silent") {
				t.Error("a CPU was left out")
			}
			logLines(t, r, "limits: ")
			t.Logf("the whole run took %v", r.Elapsed)
		})
	}
}

// TestWhatIsToldOfManyCPUsIsToldInPieces counts the instructions of the longest
// entries for the calls that go over all CPUs.
func TestWhatIsToldOfManyCPUsIsToldInPieces(t *testing.T) {
	t.Parallel()
	m := counted(machine(18, 1, 1))
	r := mustPass(t, m, "limits", "tell")
	pieces := map[string]int{}
	for _, e := range entries(t, r) {
		switch e.name {
		case "topology", "stats", "clocks", "lengths":
			pieces[e.name] = e.count
			if e.longest > longestEntry {
				t.Errorf("an entry for %s took %d guest instructions, more than %d", e.name, e.longest, longestEntry)
			}
			t.Logf("%-8s longest %6d of %d", e.name, e.longest, e.count)
		}
	}
	if pieces["topology"] < 2 || pieces["stats"] < 2 || pieces["clocks"] < m.CPUs {
		t.Errorf("entries by call: %v", pieces)
	}
}

// TestMemoryAbove4GiBIsUsed boots machines whose memory has a hole below 4 GiB. The
// host gives a page when it is touched, so the kernel must not touch them all.
func TestMemoryAbove4GiBIsUsed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		memory int64
		extra  string
		touch  string
	}{
		{"256 MiB below, 768 above", 1 << 30, "-machine max-ram-below-4g=256M", "700"},
		{"64 GiB", 64 << 30, "-m 64G -object memory-backend-ram,id=ram,size=64G,reserve=off -machine memory-backend=ram", "64"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := machine(2, 1, 1)
			m.MemoryBytes = min(test.memory, 1<<30) // what the host must have
			m.Extra = strings.Fields(test.extra)
			r := mustPass(t, m, "limits", "touch="+test.touch)
			checkTree(t, r, shapeOf(m), test.memory)
			checkClaims(t, r, limitsClaims)
			t.Logf("the whole run took %v", r.Elapsed)
		})
	}
}

// TestStateOfAllCPUsIsZeroedByTheLoader: what the kernel keeps of 1,024 CPUs is in
// the image's size, not in its file, and so it is zero before the first instruction.
func TestStateOfAllCPUsIsZeroedByTheLoader(t *testing.T) {
	t.Parallel()
	f, err := elf.Open(built(t, "limits", "").Symbols)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	const word = 8
	least := map[string]uint64{
		"hearth/kernel.scheduler": cpu.Max * 1024, // run queues and handles
		"hearth/kernel.topology":  cpu.Max * 2 * 128,
		"hearth/kernel.perCPUs":   cpu.Max * word,
		"hearth/kernel.machine":   cpu.Max * word,
	}
	for _, s := range symbols {
		if size, ok := least[s.Name]; ok {
			delete(least, s.Name)
			if s.Size < size || f.Sections[s.Section].Type != elf.SHT_NOBITS {
				t.Errorf("%s has %d bytes in %s, want %d or more, none of them in the file", s.Name, s.Size, f.Sections[s.Section].Name, size)
			}
		}
	}
	if len(least) > 0 {
		t.Errorf("the image has no symbols %v", least)
	}
}
