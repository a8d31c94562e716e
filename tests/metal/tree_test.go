package metal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hearth/qemu"
)

// shape is where each CPU of a machine sits, by dense id. QEMU numbers CPUs of a
// core, cores of a die and dies in this order.
type shape struct{ cores, llcs []int }

func shapeOf(m qemu.Machine) shape {
	var s shape
	for id := range m.CPUs {
		s.cores = append(s.cores, id/m.SMT)
		s.llcs = append(s.llcs, id/(m.CPUs/m.LLCs))
	}
	return s
}

func count(of []int) int { return slices.Max(of) + 1 }

// tree is what the kernel must print about a machine of this shape.
func (s shape) tree() []string {
	var lines []string
	for llc := range count(s.llcs) {
		line := fmt.Sprintf("hearth: llc %d:", llc)
		for core := range count(s.cores) {
			var ids []string
			for id := range s.cores {
				if s.cores[id] == core && s.llcs[id] == llc {
					ids = append(ids, fmt.Sprint(id))
				}
			}
			if ids != nil {
				line += fmt.Sprintf(" core %d {%s}", core, strings.Join(ids, ","))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// firmwareMemory is what a firmware may keep of a machine's memory, in MiB.
const firmwareMemory = 2

// checkTree compares the machine that the kernel printed with what was asked for.
func checkTree(t *testing.T, r qemu.Result, s shape, memoryBytes int64) {
	t.Helper()
	at := slices.IndexFunc(r.Lines, func(line string) bool { return strings.HasPrefix(line, "hearth: cpus ") })
	if at < 0 {
		t.Fatal("the console has no line `hearth: cpus`")
	}
	var cpus, online, llcs, cores int
	var memory int64
	_, err := fmt.Sscanf(r.Lines[at], "hearth: cpus %d online %d llcs %d cores %d memory %d MiB tsc", &cpus, &online, &llcs, &cores, &memory)
	if err != nil {
		t.Errorf("machine %q: %v", r.Lines[at], err)
	}
	if n := len(s.cores); cpus != n || online != n || llcs != count(s.llcs) || cores != count(s.cores) {
		t.Errorf("machine %q, want %d CPUs, %d LLCs, %d cores", r.Lines[at], n, count(s.llcs), count(s.cores))
	}
	if most := memoryBytes >> 20; memory > most || memory < most-firmwareMemory {
		t.Errorf("%d MiB of memory, want %d, less what the firmware keeps", memory, most)
	}
	got := slices.DeleteFunc(slices.Clone(r.Lines), func(line string) bool { return !strings.HasPrefix(line, "hearth: llc ") })
	if !slices.Equal(got, s.tree()) {
		t.Errorf("tree\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(s.tree(), "\n"))
	}
}
