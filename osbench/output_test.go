package osbench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"hearth/sys"
)

func readRecords(t *testing.T, file string) []record {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var records []record
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		records = append(records, r)
	}
	return records
}

// parseRows reads benchmark format and fails on a line that pretends to be it.
func parseRows(t *testing.T, text string) []*benchfmt.Result {
	t.Helper()
	var rows []*benchfmt.Result
	r := benchfmt.NewReader(strings.NewReader(text), "output")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			rows = append(rows, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	return rows
}

func mustValue(t *testing.T, r *benchfmt.Result, unit string, want float64) {
	t.Helper()
	if got, ok := r.Value(unit); !ok || math.Abs(got-want) > want*1e-9 {
		t.Errorf("%s has %v %s (%v), want %v", r.Name, got, unit, ok, want)
	}
}

func TestRowsReadAsBenchmarkFormat(t *testing.T) {
	m := &machine{top: flat(4), info: sys.Info{CPU: "Some CPU", Virtual: true}}
	var out strings.Builder
	printConfiguration(&out, m)
	printResult(&out, m, took(&row{name: "Thread/x/near", ops: 10}, 1000, 3000, 2000))
	printResult(&out, m, took(&row{name: "Pipe/y", ops: 1, bytes: 1_000_000}, 500_000))
	printResult(&out, m, &result{row: &row{name: "Wake/z"}, skip: "why: it cannot"})
	printResult(&out, m, &result{row: &row{name: "Wake/f"}, err: errors.New("round 3: elsewhere")})
	rows := parseRows(t, out.String())
	if len(rows) != 2 {
		t.Fatalf("%d rows, want 2, in\n%s", len(rows), &out)
	}
	if string(rows[0].Name) != "Thread/x/near-4" || rows[0].Iters != 30 {
		t.Errorf("%s with %d iterations, want Thread/x/near-4 with 30", rows[0].Name, rows[0].Iters)
	}
	mustValue(t, rows[0], "sec/op", 200e-9)
	mustValue(t, rows[0], "p90-sec/op", 280e-9)
	mustValue(t, rows[1], "B/s", 2e9)
	for key, want := range map[string]string{"goos": "linux", "goarch": "amd64", "cpu": "Some CPU", "pkg": "hearth/osbench", "emulated": "true"} {
		if got := rows[1].GetConfig(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	mustMatch(t, "the output", out.String(), "\nskip Wake/z: why: it cannot\n", "\nfail Wake/f: round 3: elsewhere\n")
}

// What benchstat reads and what the records say must be the same.
func TestRecordsAgreeWithTheRows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "records")
	code, out, errs := bench("-run", "spawn_join/free|pingpong.same|throughput.4096/free|place.8", "-scale", "0.1", "-record", file)
	if code != exitPass {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	rows := map[string]*benchfmt.Result{}
	for _, r := range parseRows(t, out) {
		name, _ := r.Name.Parts()
		rows[string(name)+strings.TrimSuffix(string(r.Name[len(name):]), suffix(t))] = r
	}
	for _, rec := range readRecords(t, file) {
		if rec.Skip != "" {
			if rec.Row != "Sched/place.8" || len(rec.Rounds) != 0 {
				t.Errorf("%s was skipped: %s", rec.Row, rec.Skip)
			}
			continue
		}
		r := rows[rec.Row]
		if r == nil {
			t.Errorf("%s has a record, no row", rec.Row)
			continue
		}
		if got, _ := r.Value("sec/op"); math.Abs(got*1e9-rec.P50) > 0.51 {
			t.Errorf("%s: row %v ns, record %v", rec.Row, got*1e9, rec.P50)
		}
		if rec.N != r.Iters || rec.P50 <= 0 || rec.P50 > rec.P90 || rec.P90 > rec.P99 || rec.P99 > rec.Max {
			t.Errorf("%s: n %d and %d, distribution %+v", rec.Row, rec.N, r.Iters, rec.summary)
		}
		if n := len(rec.Rounds); n == 0 || len(rec.CPUs) != n || len(rec.LLCs) != n || len(rec.CPUs[0]) != 4 {
			t.Errorf("%s: %d rounds, CPUs of %d, LLCs of %d", rec.Row, n, len(rec.CPUs), len(rec.LLCs))
		}
		if rec.TSCHz == 0 || rec.TSCSource == "" || rec.Build == "" || rec.Boot == "" || rec.Machine.CPU == "" {
			t.Errorf("%s: the record does not say what it ran on: %+v", rec.Row, rec)
		}
		if rec.Kicks != nil {
			t.Errorf("%s: Linux counted %d kicks", rec.Row, *rec.Kicks)
		}
	}
	if len(rows) != 3 {
		t.Errorf("%d rows, want 3:\n%s", len(rows), out)
	}
}

// suffix is what ends a row's name on this machine.
func suffix(t *testing.T) string {
	m := thisMachine(t)
	return "-" + strconv.Itoa(len(m.top.CPUs))
}

func TestRecordsGoToTheConsoleBehindTheRows(t *testing.T) {
	_, out, _ := bench("-run", "null_call|yield", "-scale", "0.02", "-record", "-")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	n := len(lines)
	for _, line := range lines[n-3 : n-1] {
		text, ok := strings.CutPrefix(line, "osbench-record: ")
		var rec record
		if err := json.Unmarshal([]byte(text), &rec); !ok || err != nil {
			t.Errorf("%v in line %q", err, line)
		}
	}
	if lines[n-1] != "hearth: verdict=pass rows=2" || !strings.HasPrefix(lines[n-4], "BenchmarkThread/yield") {
		t.Errorf("the records do not stand between the rows and the verdict:\n%s", out)
	}
}

func TestVerdictIsPassOnlyIfSomethingRanAndNothingFailed(t *testing.T) {
	ran, skip := took(&row{ops: 1}, 1), &result{row: &row{}, skip: "no"}
	bad := &result{row: &row{}, err: errors.New("bad")}
	for _, c := range []struct {
		results []*result
		code    int
		want    string
	}{
		{[]*result{ran, skip, ran}, exitPass, "hearth: verdict=pass rows=2\n"},
		{[]*result{ran, bad}, exitFail, "hearth: verdict=fail rows=1\n"},
		{[]*result{skip}, exitFail, "hearth: verdict=fail rows=0\n"},
		{nil, exitFail, "hearth: verdict=fail rows=0\n"},
	} {
		var v verdict
		var out strings.Builder
		for _, res := range c.results {
			v.add(res)
		}
		if code := v.print(&out); code != c.code || !strings.HasSuffix(out.String(), c.want) {
			t.Errorf("exit %d, %q; want %d, %q", code, &out, c.code, c.want)
		}
	}
}
