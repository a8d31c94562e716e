package metal

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hearth/qemu"
	"hearth/tools/trace"
)

// A burst is a crowd of threads that park at once, on two LLC domains of six
// cores of two CPUs.
var burstMachine = machine(24, 2, 2)

const crowd = 16

// burst is the guest's line about one crowd.
type burst struct {
	spawner       int
	placed, homes []int
}

var burstLine = regexp.MustCompile(`^burst \d+ from (\d+) placed ([\d ]+) homes \[([\d ]+)\]$`)

func bursts(t *testing.T, r qemu.Result) []burst {
	t.Helper()
	var all []burst
	for _, line := range r.Lines {
		if match := burstLine.FindStringSubmatch(line); match != nil {
			all = append(all, burst{atoi(match[1]), numbers(match[2]), numbers(match[3])})
		}
	}
	if len(all) == 0 {
		t.Fatal("the guest reports no burst")
	}
	return all
}

// TestParkedThreadsHaveCoresAndHomesOfTheirOwn runs once on counted instructions,
// where no CPU is late because the host has only a few, and once where CPUs are as
// late as the host makes them. A core on which something runs is passed over like
// one that is a home; so sharing is judged by what each placement could know.
func TestParkedThreadsHaveCoresAndHomesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		machine qemu.Machine
	}{{"counted instructions", counted(burstMachine)}, {"host time", burstMachine}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := test.machine
			m.TraceFile = filepath.Join(artefacts, "bursts."+strings.Fields(test.name)[0]+".trace")
			r := mustPass(t, m, "placement", "burst")
			dump, err := trace.ReadFile(m.TraceFile)
			if err != nil {
				t.Fatal(err)
			}
			all := bursts(t, r)
			judgeSharing(t, shapeOf(m), decisions(dump), crowd*len(all)/2)
			if m.ICount {
				t.Logf("seed %d", m.Seed)
				judgeHomes(t, shapeOf(m), all)
			}
		})
	}
}

// judgeHomes demands that nobody has the home of another, and that most bursts use
// every core before they share one: not all, since the runtime's own contexts run
// for a moment here and there.
func judgeHomes(t *testing.T, s shape, all []burst) {
	t.Helper()
	alone := 0
	for i, b := range all {
		if n := len(distinct(b.homes)); n != crowd || len(b.homes) != crowd {
			t.Errorf("burst %d: %d homes of %d threads: %v", i, n, crowd, b.homes)
		}
		alone += bit(b.fillsCoresFirst(s))
	}
	t.Logf("%d of %d bursts used every core before they shared one", alone, len(all))
	if 2*alone < len(all) {
		t.Error("too few")
	}
}

// fillsCoresFirst reports whether no core was shared while another was nobody's
// home.
func (b *burst) fillsCoresFirst(s shape) bool {
	used := map[int]bool{s.cores[b.spawner]: true}
	for _, cpu := range b.placed {
		if used[s.cores[cpu]] && len(used) < count(s.cores) {
			return false
		}
		used[s.cores[cpu]] = true
	}
	return len(used) == count(s.cores)
}

// judgeSharing demands of every placement, at least so many, that it shares no
// core of a sibling's while the record shows one that is free in every way.
func judgeSharing(t *testing.T, s shape, all []decision, least int) {
	t.Helper()
	judged, shared := 0, 0
	for _, d := range all {
		if d.cut || !d.near {
			continue
		}
		list, err := d.rank(s)
		if err != nil {
			t.Fatal(err)
		}
		if list[0].cpu != d.chosen || list[0].key != d.key {
			t.Errorf("chosen CPU %d by %v, the oracle chooses CPU %d by %v", d.chosen, d.key, list[0].cpu, list[0].key)
		}
		judged++
		if d.find(d.chosen).coreHomes == 0 {
			continue
		}
		shared++
		if core := d.emptyCore(s, func(int) bool { return true }); core >= 0 {
			t.Errorf("CPU %d shares its core, though core %d is free and nobody's home: %+v", d.chosen, core, d.cpus)
		}
	}
	t.Logf("%d placements judged, %d of them on a shared core", judged, shared)
	if judged < least || shared == 0 {
		t.Errorf("%d placements judged, %d on a shared core: want %d and some", judged, shared, least)
	}
}

func distinct(of []int) []int {
	sorted := slices.Sorted(slices.Values(of))
	return slices.Compact(sorted)
}

// numbers reads words of digits.
func numbers(text string) []int {
	var list []int
	for word := range strings.FieldsSeq(text) {
		list = append(list, atoi(word))
	}
	return list
}

// atoi returns -1 for what is no number.
func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
