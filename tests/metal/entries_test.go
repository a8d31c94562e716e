package metal

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hearth/qemu"
)

var entryThreads = flag.Int("threads", 1000, "threads that the longest kernel entries are sought with, up to 4,096")

// longestEntry is how many guest instructions a kernel entry may take: 50 µs of a
// machine that does not do better than one in 2.5 ns.
const longestEntry = 20_000

// entry is one line of the guest entries.
type entry struct {
	name    string
	count   int
	longest int // guest instructions
}

// entries reads the lines `entry COUNT LONGEST NAME` of a counted run.
func entries(t *testing.T, r qemu.Result) (all []entry) {
	t.Helper()
	for _, line := range r.Lines {
		words := strings.SplitN(line, " ", 4)
		if words[0] != "entry" || len(words) != 4 {
			continue
		}
		count, bad := strconv.Atoi(words[1])
		longest, worse := strconv.Atoi(words[2])
		if bad != nil || worse != nil {
			t.Fatalf("line %q", line)
		}
		all = append(all, entry{words[3], count, longest})
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(b.longest, a.longest) })
	return all
}

// checkEntries reports the longest entries and demands that none but boot's exceeds
// the bound. The machine has one CPU: with more, the time that QEMU gives to the
// others would count as well.
func checkEntries(t *testing.T, r qemu.Result) {
	t.Helper()
	all := entries(t, r)
	if len(all) < 10 {
		t.Errorf("%d kinds of kernel entry were told of", len(all))
	}
	for i, e := range all {
		if e.longest > longestEntry && e.name != "boot" {
			t.Errorf("an entry for %s took %d guest instructions, more than %d", e.name, e.longest, longestEntry)
		}
		if i < 12 {
			t.Logf("%-20s longest %6d of %d", e.name, e.longest, e.count)
		}
	}
}

// TestNoKernelEntryRunsLong has every thread of a crowd woken, moved, timed out,
// sent elsewhere and ended at once.
func TestNoKernelEntryRunsLong(t *testing.T) {
	t.Parallel()
	m := counted(machine(1, 1, 1))
	m.MemoryBytes = 2 << 30
	r := mustPass(t, m, "entries", strconv.Itoa(*entryThreads))
	t.Logf("seed %d", m.Seed)
	for _, load := range []string{"wake", "requeue", "deadline", "masks", "timers", "events", "collector", "carriers", "console"} {
		if !said(r, fmt.Sprintf("load %s ok", load)) {
			t.Errorf("load %s did not end well", load)
		}
	}
	checkEntries(t, r)
}
