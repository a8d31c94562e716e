package osbench

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var smokeRows = []string{
	"Thread/null_call", "Thread/yield",
	"Thread/spawn_join/free", "Thread/spawn_join/near", "Thread/spawn_join/far",
	"Wake/pingpong.same_cpu", "Wake/pingpong.llc", "Wake/pingpong.far",
	"Wake/futex_wake_to_run/free", "Wake/futex_wake_to_run/near", "Wake/futex_wake_to_run/far",
	"Wake/storm.call.w4", "Wake/storm.drain.w4",
	"Pipe/throughput.4096/near", "Pipe/throughput.4096/far", "Pipe/throughput.4096/free",
	"Pipe/throughput.16384/near", "Pipe/throughput.16384/far", "Pipe/throughput.16384/free",
	"Pipe/throughput.65536/near", "Pipe/throughput.65536/far", "Pipe/throughput.65536/free",
	"Sched/place.8", "Sched/place.64",
}

func list(t *testing.T, args ...string) []string {
	t.Helper()
	code, out, errors := bench(append(args, "-list")...)
	if code != exitPass || errors != "" {
		t.Fatalf("-list: exit %d, %s", code, errors)
	}
	return strings.Fields(out)
}

func TestSmokeIsTheDefaultSuite(t *testing.T) {
	for _, args := range [][]string{nil, {"-suite", "smoke"}} {
		if got := list(t, args...); !slices.Equal(got, smokeRows) {
			t.Errorf("%v lists %v, want %v", args, got, smokeRows)
		}
	}
}

func TestLargerSuitesHoldTheSmallerOnes(t *testing.T) {
	core, full := list(t, "-suite", "core"), list(t, "-suite", "full")
	for _, name := range smokeRows {
		if !slices.Contains(core, name) {
			t.Errorf("core lacks %s", name)
		}
	}
	if len(core) <= len(smokeRows) {
		t.Errorf("core has %d rows, no more than smoke", len(core))
	}
	for _, name := range core {
		if !slices.Contains(full, name) {
			t.Errorf("full lacks %s", name)
		}
	}
	if names := slices.Compact(slices.Sorted(slices.Values(full))); len(names) != len(full) {
		t.Error("two rows have one name")
	}
}

func TestRunChoosesByRegularExpression(t *testing.T) {
	if got := list(t, "-run", `^Pipe.*4096/(near|far)$`); !slices.Equal(got, []string{"Pipe/throughput.4096/near", "Pipe/throughput.4096/far"}) {
		t.Errorf("chose %v", got)
	}
}

func TestUnusableArgumentGetsOneLineThatNamesIt(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"-bogus"}, []string{"-bogus", "known:", "-suite"}},
		{[]string{"-suite", "huge"}, []string{`"huge"`, "smoke, core, full"}},
		{[]string{"-run", "("}, []string{`"("`, "missing closing"}},
		{[]string{"-run", "nosuchrow"}, []string{`"nosuchrow"`, "smoke", "-list"}},
		{[]string{"-count", "0"}, []string{"-count 0", "at least 1"}},
		{[]string{"-count", "many"}, []string{"many", "known:"}},
		{[]string{"-scale", "0"}, []string{"-scale 0", "above 0"}},
		{[]string{"-scale", "NaN"}, []string{"-scale NaN", "above 0"}},
		{[]string{"spawn"}, []string{`"spawn"`, "-run"}},
		{[]string{"-run", "null_call", "-record", "/nonexistent/folder/file"}, []string{"-record", "/nonexistent/folder/file"}},
	} {
		code, out, errors := bench(c.args...)
		if code != exitUsage || out != "" || strings.Count(errors, "\n") != 1 {
			t.Errorf("%v: exit %d, output %q, errors %q; want exit 2 and one line", c.args, code, out, errors)
		}
		mustMatch(t, "the error", errors, append(c.want, "osbench: ")...)
	}
}

func TestCountRepeatsRowsAndScaleChangesRounds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "records")
	code, out, errors := bench("-run", "null_call", "-count", "3", "-scale", "0.25", "-record", file)
	if code != exitPass {
		t.Fatalf("exit %d: %s%s", code, out, errors)
	}
	records := readRecords(t, file)
	if n := strings.Count(out, "\nBenchmark"); n != 3 || len(records) != 3 {
		t.Errorf("%d lines and %d records, want 3", n, len(records))
	}
	if n := len(records[0].Rounds); n != 25 {
		t.Errorf("%d rounds, want a quarter of 100", n)
	}
	mustMatch(t, "the output", out, "\nhearth: verdict=pass rows=3\n")
}
