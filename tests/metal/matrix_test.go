package metal

import (
	"slices"
	"strings"
	"testing"

	"hearth/qemu"
)

// matrix is the machines on which everything holds.
var matrix = []qemu.Machine{
	machine(1, 1, 1),
	machine(2, 1, 1), machine(2, 2, 1),
	machine(4, 1, 1), machine(4, 2, 1),
	machine(8, 1, 1), machine(8, 2, 1), machine(8, 2, 2),
}

func TestGoRuntimeHoldsItsPromisesOnEveryMachine(t *testing.T) {
	t.Parallel()
	for _, m := range matrix {
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			r := mustPass(t, m, "runtime")
			checkClaims(t, r, runtimeClaims)
			checkTree(t, r, shapeOf(m), m.MemoryBytes)
		})
	}
}

func TestBenchmarkPassesOnTwoLLCs(t *testing.T) {
	t.Parallel()
	m := machine(4, 2, 1)
	m.Verdict = true
	r := mustPass(t, m, wholeTree, "-suite", "smoke", "-scale", "0.1")
	for _, row := range []string{
		"Thread/spawn_join/free", "Thread/spawn_join/near", "Thread/spawn_join/far",
		"Wake/pingpong.same_cpu", "Wake/pingpong.llc", "Wake/pingpong.far",
		"Wake/storm.call.w4", "Wake/storm.drain.w4",
		"Pipe/throughput.65536/near", "Pipe/throughput.65536/far", "Sched/place.8", "Sched/place.64",
	} {
		if !slices.ContainsFunc(r.Lines, func(line string) bool { return strings.HasPrefix(line, "Benchmark"+row+"-4") }) {
			t.Errorf("no row %s", row)
		}
	}
	for _, line := range r.Lines {
		if strings.HasPrefix(line, "skip ") || strings.HasPrefix(line, "fail ") {
			t.Error(line)
		}
	}
}
