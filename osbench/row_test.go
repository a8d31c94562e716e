package osbench

import (
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"hearth/sys"
)

var garbage []byte

func TestMeasuredSectionRunsWithTheCollectorOffAndCountsWhatItDoes(t *testing.T) {
	m := thisMachine(t)
	quiet := &row{arm: free, rounds: 2, ops: 1, body: func(r *run) error {
		for range 200 {
			garbage = make([]byte, 1<<20)
		}
		return r.each(func(*round) error { return nil })
	}}
	if res := quiet.measure(m, 1); res.err != nil || res.gcCycles != 0 {
		t.Errorf("200 MiB of garbage: %d cycles, %v", res.gcCycles, res.err)
	}
	loud := &row{name: "Loud", arm: free, rounds: 2, ops: 1, body: func(r *run) error {
		runtime.GC()
		return r.each(func(*round) error { return nil })
	}}
	res := loud.measure(m, 1)
	var out strings.Builder
	printResult(&out, m, res)
	if res.gcCycles == 0 {
		t.Error("a forced cycle was not counted")
	}
	mustMatch(t, "the output", out.String(), "note Loud: ", " GC cycles fell into the measured section")
	if percent := debug.SetGCPercent(100); percent != 100 {
		t.Errorf("the collector's percentage is %d afterwards", percent)
	}
}

func TestWarmUpRoundsAreNotCounted(t *testing.T) {
	calls := 0
	r := &row{arm: free, warm: 7, rounds: 3, ops: 1, body: func(r *run) error {
		return r.each(func(rd *round) error { calls++; rd.took = time.Duration(calls); return nil })
	}}
	res := r.measure(thisMachine(t), 2)
	if calls != 13 || len(res.rounds) != 6 || res.rounds[0].took != 8 || res.rounds[5].took != 13 {
		t.Errorf("%d calls, rounds %+v; want 7 warm ones, then 6", calls, res.rounds)
	}
}

func TestRoundThatFailsFailsTheRowByNumber(t *testing.T) {
	n := 0
	r := &row{arm: free, warm: 1, rounds: 5, ops: 1, body: func(r *run) error {
		return r.each(func(*round) error {
			if n++; n == 4 {
				return errors.New("lost")
			}
			return nil
		})
	}}
	if res := r.measure(thisMachine(t), 1); res.err == nil || res.err.Error() != "round 2: lost" {
		t.Errorf("error %v, want round 2: lost", res.err)
	}
}

func TestCallerIsAThreadOnTheCPUOfItsArm(t *testing.T) {
	var self sys.Thread
	r := &row{arm: alone, rounds: 20, ops: 1, body: func(r *run) error {
		self = sys.Self()
		return r.each(func(*round) error { sys.Yield(); return nil })
	}}
	m := thisMachine(t)
	res := r.measure(m, 1)
	if self == 0 {
		t.Error("the caller is no thread")
	}
	for i, rd := range res.rounds {
		if want := m.top.CPUs[0].ID; rd.sides[0] != (span{want, want}) {
			t.Errorf("round %d ran on CPUs %v, want %d", i, rd.sides[0], want)
		}
	}
}

func TestEveryRowOfTheMachineRuns(t *testing.T) {
	code, out, errs := bench("-suite", "full", "-scale", "0.02")
	if code != exitPass || strings.Contains(out, "\nfail ") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for _, r := range allRows() {
		if !strings.Contains(out, "Benchmark"+r.name+"-") && !strings.Contains(out, "skip "+r.name+": ") {
			t.Errorf("%s neither ran nor was skipped", r.name)
		}
	}
}

func TestPlacerIsTimedInBatchesOfItsOwn(t *testing.T) {
	defer func() { NewPlacer = nil }()
	decisions, cpus := 0, 0
	NewPlacer = func(n int) (func(int), error) {
		cpus = n
		return func(n int) { decisions += n; time.Sleep(time.Millisecond) }, nil
	}
	code, out, _ := bench("-run", "place.64", "-scale", "0.1")
	if code != exitPass || cpus != 64 || decisions != (5+5)*placeBatch {
		t.Errorf("exit %d, %d decisions for %d CPUs, want %d for 64", code, decisions, cpus, 10*placeBatch)
	}
	rows := parseRows(t, out)
	if len(rows) != 1 || rows[0].Iters != 5*placeBatch {
		t.Fatalf("rows %v", rows)
	}
	if got, _ := rows[0].Value("sec/op"); got < 1e-3/placeBatch || got > 50e-3/placeBatch {
		t.Errorf("%v s a decision, want a millisecond by %d", got, placeBatch)
	}
	NewPlacer = func(int) (func(int), error) { return nil, errors.New("no such machine") }
	if code, out, _ := bench("-run", "place.64"); code != exitFail || !strings.Contains(out, "fail Sched/place.64: no such machine") {
		t.Errorf("exit %d: %s", code, out)
	}
}
