package metal

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"hearth/qemu"
	"hearth/tools/trace"
)

// wantSpawns is how many placements of a guest must be judged. A boot makes half of
// them: a CPU's ring of the trace would not hold many more.
const wantSpawns = 200

// TestEveryPlacementIsTheOracles compares placements with an oracle that decides
// again from what the kernel recorded: of spawners one after the other, and of all
// at once.
func TestEveryPlacementIsTheOracles(t *testing.T) {
	t.Parallel()
	for _, m := range []qemu.Machine{machine(4, 2, 1), machine(8, 2, 1), machine(8, 2, 2)} {
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			s := shapeOf(m)
			sum := tally{near: make([]int, count(s.llcs))}
			for _, how := range []string{"alone", "together"} {
				m.TraceFile = filepath.Join(artefacts, "placement."+label(m)+"."+how+".trace")
				r := mustPass(t, m, "placement", how)
				checkTree(t, r, s, m.MemoryBytes)
				dump, err := trace.ReadFile(m.TraceFile)
				if err != nil {
					t.Fatal(err)
				}
				judge(t, s, decisions(dump), placements(t, r), &sum)
			}
			sum.check(t)
		})
	}
}

// tally counts what was judged.
type tally struct {
	judged    int
	masked    int   // with CPUs that could not be chosen
	contended int   // with no free CPU
	near      []int // pairs with a free near core, by the spawner's domain
}

func (n *tally) check(t *testing.T) {
	t.Helper()
	t.Logf("%d placements judged; %d with a mask, %d with no free CPU; pairs with a free near core, by LLC: %v", n.judged, n.masked, n.contended, n.near)
	if n.judged != wantSpawns {
		t.Errorf("%d of %d spawns were judged", n.judged, wantSpawns)
	}
	if n.masked == 0 || n.contended == 0 {
		t.Error("no placement had a mask, or all found a free CPU")
	}
	for llc, pairs := range n.near {
		if pairs < 5 {
			t.Errorf("only %d spawns from LLC %d had a free near core: too few to say anything", pairs, llc)
		}
	}
}

// told is what the kernel answered to one spawn.
type told struct {
	spawner int
	thread  int32
	cpu     int
	key     key
}

// placements reads the guest's lines `placed SPAWNER THREAD CPU TERM [KEY]`:
// the deciding terms of each answer, as often as it was given.
func placements(t *testing.T, r qemu.Result) map[told][]int {
	t.Helper()
	found := map[told][]int{}
	for _, line := range r.Lines {
		if !strings.HasPrefix(line, "placed ") {
			continue
		}
		var p told
		var term int
		k := &p.key
		_, err := fmt.Sscanf(line, "placed %d %d %d %d [%d %d %d %d %d %d %d %d]", &p.spawner, &p.thread, &p.cpu, &term,
			&k[0], &k[1], &k[2], &k[3], &k[4], &k[5], &k[6], &k[7])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		found[p] = append(found[p], term)
	}
	return found
}

// judge holds every recorded decision against the oracle, and finds among them
// each one that the guest was told.
func judge(t *testing.T, s shape, all []decision, reported map[told][]int, sum *tally) {
	t.Helper()
	for i := range all {
		d := &all[i]
		if d.cut {
			continue
		}
		list, err := d.rank(s)
		if err != nil {
			t.Errorf("thread %d from CPU %d: %v", d.thread, d.spawner, err)
			continue
		}
		if best := list[0]; best.cpu != d.chosen || best.key != d.key {
			t.Errorf("thread %d from CPU %d: chosen CPU %d by %v, the oracle chooses CPU %d by %v of %+v",
				d.thread, d.spawner, d.chosen, d.key, best.cpu, best.key, d.cpus)
		}
		if core := d.nearCore(s); d.near && core >= 0 {
			sum.near[s.llcs[d.spawner]]++
			if s.llcs[d.chosen] != s.llcs[d.spawner] {
				t.Errorf("thread %d from CPU %d: far on CPU %d, though near core %d was free: %+v", d.thread, d.spawner, d.chosen, core, d.cpus)
			}
		}
		if matchReport(t, d, list, reported) {
			sum.judged++
			sum.masked += bit(len(list) < len(s.cores))
			sum.contended += bit(d.key[0] > 0 || d.key[1] > 0)
		}
	}
}

// matchReport takes the guest's report of a decision off the list, and checks the
// term that told the choice from the runner-up.
func matchReport(t *testing.T, d *decision, list []ranked, reported map[told][]int) bool {
	t.Helper()
	p := told{d.spawner, d.thread, d.chosen, d.key}
	terms := reported[p]
	if len(terms) == 0 {
		return false // the guest's main thread made it
	}
	decided := -1
	if len(list) > 1 {
		decided = term(list[0].key, list[1].key)
	}
	if terms[0] != decided {
		t.Errorf("thread %d from CPU %d: term %d decided, the guest was told %d", d.thread, d.spawner, decided, terms[0])
	}
	reported[p] = terms[1:]
	return true
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
