package metal

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/qemu"
)

var memoryRounds = flag.Int("memory", 4, "fifties of rounds of what memory tests repeat: 20 for 1,000, 200 for 10,000")

// memoryClaims are those that the guest memory makes unasked, in its order.
var memoryClaims = []string{
	"fresh_pages_are_zero", "large_pages_come_where_they_fit", "parts_of_large_pages_change",
	"protection_goes_and_comes_back", "tables_go_when_empty", "excess_is_refused", "regions_run_out_and_come_back",
	"spawn_and_join_leave_nothing", "heap_leaves_nothing",
}

// remember boots the guest memory for some claims and reports what they say.
func remember(t *testing.T, m qemu.Machine, claims []string, settings ...string) qemu.Result {
	t.Helper()
	m.Deadline = deadline + time.Duration(*memoryRounds)*10*time.Second
	args := append(settings, fmt.Sprintf("rounds=%d", *memoryRounds))
	r := mustPass(t, m, "memory", append(args, claims...)...)
	checkClaims(t, r, claims)
	for _, line := range r.Lines {
		if strings.HasPrefix(line, "claim ") {
			t.Log(line)
		}
	}
	return r
}

func TestMemoryKeepsItsPromisesAndLeaksNothing(t *testing.T) {
	t.Parallel()
	for _, m := range []qemu.Machine{machine(1, 1, 1), machine(4, 2, 1)} {
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			remember(t, m, memoryClaims)
		})
	}
}

// TestSmallMachineHasNoLargePages keeps what is scarce for small ones.
func TestSmallMachineHasNoLargePages(t *testing.T) {
	t.Parallel()
	m := machine(2, 1, 1)
	m.MemoryBytes = 96 << 20
	remember(t, m, memoryClaims[:7], "large=0")
}

// TestOutOfMemoryEndsTheProgram starves one in its own code and one in a call that
// writes to it. It is the program that ends, with what Linux's killed ones end with.
func TestOutOfMemoryEndsTheProgram(t *testing.T) {
	t.Parallel()
	line := regexp.MustCompile(`^hearth: error: out of memory: the program uses \d+ of (\d+) MiB and needs more; give the machine more \(hearth run -mem\)$`)
	for _, way := range []string{"use_it_all", "buffer_in_nothing"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			m := machine(2, 1, 1)
			m.MemoryBytes = 64 << 20
			r := boot(t, m, "memory", way)
			if r.Outcome != qemu.ProgramExit || r.Code != 137 || len(r.Crash) > 0 {
				t.Errorf("outcome %v, code %d, want the program's exit, 137", r.Outcome, r.Code)
			}
			n := len(r.Lines)
			if n < 2 || !line.MatchString(r.Lines[n-2]) || r.Lines[n-1] != "hearth: exit=137" {
				t.Errorf("the console ends with %q", r.Lines[max(0, n-2):])
			}
			if said := said(r, "the rest is the kernel's to write"); said != (way == "buffer_in_nothing") {
				t.Errorf("it came to the kernel's part: %v", said)
			}
		})
	}
}

func TestCloneWithoutMemoryIsAnswered(t *testing.T) {
	t.Parallel()
	m := machine(2, 1, 1)
	m.MemoryBytes = 64 << 20
	remember(t, m, []string{"clone_in_nothing_is_answered"})
}

func TestGibibyteOfHeapComesAndGoesThreeTimes(t *testing.T) {
	t.Parallel()
	m := machine(2, 1, 1)
	m.MemoryBytes = 2 << 30
	remember(t, m, []string{"gibibyte_comes_and_goes"})
}

// TestUnmappedPageIsGoneAtOnce races one that unmaps against three that read.
func TestUnmappedPageIsGoneAtOnce(t *testing.T) {
	t.Parallel()
	for _, m := range []qemu.Machine{machine(2, 1, 1), machine(4, 2, 1)} {
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			remember(t, m, []string{"unmapped_is_gone_at_once"})
		})
	}
}

// TestCallsOnAGibibyteAreShortEntries holds each piece of the longest calls to the
// bound, and the faults that clear large pages.
func TestCallsOnAGibibyteAreShortEntries(t *testing.T) {
	t.Parallel()
	m := counted(machine(1, 1, 1))
	m.MemoryBytes = 2 << 30
	r := remember(t, m, []string{"long_calls_are_short_entries"})
	t.Logf("seed %d", m.Seed)
	checkEntries(t, r)
	for _, e := range entries(t, r) {
		if (e.name == "munmap" || e.name == "madvise") && e.count < 100 {
			t.Errorf("%d entries for %s: the calls were not long", e.count, e.name)
		}
	}
}

// TestFirstUseOf64MiBTakesFewFaults counts those, one a page without large pages,
// and the instructions.
func TestFirstUseOf64MiBTakesFewFaults(t *testing.T) {
	t.Parallel()
	m := counted(machine(1, 1, 1))
	r := remember(t, m, []string{"touch_64_MiB"})
	cost := regexp.MustCompile(`(\d+) faults (\d+) ns`)
	for _, line := range r.Lines {
		if n := cost.FindStringSubmatch(line); n != nil {
			t.Logf("seed %d: %s faults and %s instructions for %d pages", m.Seed, n[1], n[2], 64<<20/4096)
			if atoi(n[1]) > 1024 || atoi(n[2]) > 64<<20/4096*1000 {
				t.Error("that is what small pages cost, or worse")
			}
			return
		}
	}
	t.Error("no cost was told")
}

// TestForbiddenUseOfMemoryEndsWithItsLine has the program do what its pages do not
// allow. Go's message must name the very line: each is marked in the source. The
// kernel's own are TestFaultOfTheKernelLeavesARecordThatNamesItsLine's.
func TestForbiddenUseOfMemoryEndsWithItsLine(t *testing.T) {
	t.Parallel()
	const file = "tests/metal/guest/memory/forbidden.go"
	source, err := os.ReadFile(root + "/" + file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	const fault, segmentation = "fatal error: fault", "[signal SIGSEGV: segmentation violation code="
	for way, says := range map[string][]string{
		"write_text":     {"unexpected fault address 0x7e00", fault, segmentation, "main.writeText("},
		"write_constant": {"unexpected fault address 0x7e00", fault, segmentation, "main.writeConstant("},
		"run_heap":       {"unexpected fault address 0x", fault, segmentation, "main.runHeap("},
		"run_data":       {"unexpected fault address 0x7e00", fault, segmentation, "main.runStatic("},
		"read_page_0":    {"invalid memory address or nil pointer dereference", segmentation, "addr=0x88", "main.readPageZero("},
		"read_hole":      {"unexpected fault address 0x7d", fault, segmentation, "main.readHole("},
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			r := boot(t, machine(1, 1, 1), "memory", way)
			if r.Outcome != qemu.ProgramExit || r.Code != 2 {
				t.Errorf("outcome %v, code %d, want the program's exit, 2", r.Outcome, r.Code)
			}
			line := 1 + slices.IndexFunc(lines, func(s string) bool { return strings.HasSuffix(s, "// ends: "+way) })
			for _, text := range append(says, fmt.Sprintf("%s:%d ", strings.TrimPrefix(file, "tests/metal/"), line)) {
				if !slices.ContainsFunc(r.Lines, func(s string) bool { return strings.Contains(s, text) }) {
					t.Errorf("the console does not say %q", text)
				}
			}
		})
	}
}
