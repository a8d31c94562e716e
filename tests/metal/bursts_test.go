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

// TestParkedThreadsHaveCoresAndHomesOfTheirOwn runs on counted instructions: no
// CPU of this machine is late because the host has only a few. What it cannot
// keep still is the Go runtime, whose contexts run for a moment here and there:
// a core that is busy with one comes after a core that is home to a parked
// thread (terms 1 to 3 of the key stand before homes), so a shared core is right
// where the record shows that none was free.
func TestParkedThreadsHaveCoresAndHomesOfTheirOwn(t *testing.T) {
	t.Parallel()
	m := counted(burstMachine)
	m.TraceFile = filepath.Join(artefacts, "bursts.counted.trace")
	t.Logf("seed %d", m.Seed)
	r := mustPass(t, m, "placement", "burst")
	judgeSharing(t, m, r)
	s, alone := shapeOf(m), 0
	for i, b := range bursts(t, r) {
		if n := len(distinct(b.homes)); n != crowd || len(b.homes) != crowd {
			t.Errorf("burst %d: %d homes of %d threads: %v", i, n, crowd, b.homes)
		}
		if b.fillsCoresFirst(s) {
			alone++
		}
	}
	t.Logf("%d bursts used every core before they shared one", alone)
	if alone == 0 {
		t.Error("no burst used every core before it shared one")
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

// TestNoCoreIsSharedWhileTheRecordShowsAFreeOne runs where CPUs are as late as
// the host makes them, and judges each placement by what it could know.
func TestNoCoreIsSharedWhileTheRecordShowsAFreeOne(t *testing.T) {
	t.Parallel()
	m := burstMachine
	m.TraceFile = filepath.Join(artefacts, "bursts.trace")
	judgeSharing(t, m, mustPass(t, m, "placement", "burst"))
}

// judgeSharing holds every placement of a run's bursts against the oracle, and
// each one on a core that is home to a thread against the cores that were free.
func judgeSharing(t *testing.T, m qemu.Machine, r qemu.Result) {
	t.Helper()
	dump, err := trace.ReadFile(m.TraceFile)
	if err != nil {
		t.Fatal(err)
	}
	s, judged, shared := shapeOf(m), 0, 0
	for _, d := range decisions(dump) {
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
		core := d.emptyCore(s, func(int) bool { return true })
		if d.find(d.chosen).coreHomes > 0 {
			shared++
			if core >= 0 {
				t.Errorf("CPU %d shares its core, though core %d is free and nobody's home: %+v", d.chosen, core, d.cpus)
			}
		}
		judged++
	}
	t.Logf("%d placements judged, %d of them on a shared core", judged, shared)
	if want := crowd * len(bursts(t, r)) / 2; judged < want || shared == 0 {
		t.Errorf("%d placements judged, %d on a shared core: want %d and some", judged, shared, want)
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
