package metal

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hearth/qemu"
)

// record is what this test reads of a benchmark's record: where both sides of
// each round ran, the caller first, each with its first and last CPU.
type record struct {
	Row  string
	Skip string
	Fail string
	CPUs [][]int
}

// TestBenchmarkRunsWhereItsRowsSay boots the whole image on two LLC domains.
// Where the sides of a round ran is held against the machine's own shape.
func TestBenchmarkRunsWhereItsRowsSay(t *testing.T) {
	t.Parallel()
	m := machine(4, 2, 1)
	m.Verdict = true
	r := mustPass(t, m, wholeTree, "-suite", "smoke", "-scale", "0.1", "-record", "-")
	s, rows := shapeOf(m), records(t, r)
	for _, name := range []string{
		"Thread/spawn_join/free", "Thread/spawn_join/near", "Thread/spawn_join/far",
		"Wake/pingpong.same_cpu", "Wake/pingpong.llc", "Wake/pingpong.far",
		"Wake/storm.call.w4", "Wake/storm.drain.w4",
		"Pipe/throughput.4096/near", "Pipe/throughput.16384/near", "Pipe/throughput.65536/near",
		"Pipe/throughput.4096/far", "Pipe/throughput.16384/far", "Pipe/throughput.65536/far",
		"Sched/place.8", "Sched/place.64",
	} {
		if !slices.ContainsFunc(r.Lines, func(line string) bool { return strings.HasPrefix(line, "Benchmark"+name+"-4") }) {
			t.Errorf("no row %s", name)
		}
		rec, ok := rows[name]
		if !ok || rec.Skip != "" || rec.Fail != "" {
			t.Errorf("record of %s: %+v", name, rec)
		}
		checkArm(t, s, rec)
	}
}

// checkArm holds each round of a row against its name.
func checkArm(t *testing.T, s shape, rec record) {
	t.Helper()
	var want func(caller, peer int) bool
	switch {
	case strings.HasSuffix(rec.Row, "near"), strings.HasSuffix(rec.Row, ".llc"):
		want = func(a, b int) bool { return s.llcs[a] == s.llcs[b] && s.cores[a] != s.cores[b] }
	case strings.HasSuffix(rec.Row, "far"):
		want = func(a, b int) bool { return s.llcs[a] != s.llcs[b] }
	case strings.HasSuffix(rec.Row, "same_cpu"):
		want = func(a, b int) bool { return a == b }
	default:
		return
	}
	if len(rec.CPUs) == 0 {
		t.Errorf("%s: no round is recorded", rec.Row)
	}
	for i, cpus := range rec.CPUs {
		for _, peer := range cpus[2:] {
			if cpus[0] != cpus[1] || !want(cpus[0], peer) {
				t.Errorf("%s: round %d ran on CPUs %v", rec.Row, i, cpus)
			}
		}
		if len(cpus) < 4 {
			t.Errorf("%s: round %d records no peer: %v", rec.Row, i, cpus)
		}
	}
}

// records are the benchmark's own, by row.
func records(t *testing.T, r qemu.Result) map[string]record {
	t.Helper()
	found := map[string]record{}
	for _, line := range r.Lines {
		text, ok := strings.CutPrefix(line, "osbench-record: ")
		if !ok {
			continue
		}
		var rec record
		if err := json.Unmarshal([]byte(text), &rec); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		found[rec.Row] = rec
	}
	return found
}
