package boot

import (
	"hearth/cpu"
	"testing"
	"time"
)

func TestIsolatedAndPollAreRead(t *testing.T) {
	for line, want := range map[string]struct {
		isolated string
		poll     time.Duration
	}{
		"":                             {"{}", -1},
		"isolated=2":                   {"{2}", -1},
		"isolated=2-3 poll=20us":       {"{2-3}", 20 * time.Microsecond},
		"isolated=1,4-7 isolated=1023": {"{1,4-7,1023}", -1},
		"poll=off":                     {"{}", 0},
		"poll=10000us":                 {"{}", 10 * time.Millisecond},
		"-- isolated=x poll=y":         {"{}", -1},
	} {
		var o Options
		info := infoOf(line)
		problem, at := ParseCommandLine(info, &o)
		isolated, err := cpu.ParseMask(want.isolated)
		if problem != NoLineProblem || err != nil || !o.Isolated.Equal(&isolated) || o.Poll != want.poll {
			t.Errorf("%q: problem %d with %q, isolated %v, poll %v", line, problem, info.text(at), &o.Isolated, o.Poll)
		}
	}
}

func TestWrongIsolatedOrPollIsRefusedByName(t *testing.T) {
	for line, want := range map[string]LineProblem{
		"isolated=": BadIsolated, "isolated": BadIsolated, "isolated=,": BadIsolated, "isolated=1,": BadIsolated,
		"isolated=1024": BadIsolated, "isolated=3-2": BadIsolated, "isolated=1-2-3": BadIsolated, "isolated=-2": BadIsolated,
		"isolated=a": BadIsolated, "isolated=99999999999999999999": BadIsolated,
		"poll=": BadPoll, "poll": BadPoll, "poll=20": BadPoll, "poll=us": BadPoll, "poll=0us": BadPoll, "poll=10001us": BadPoll,
		"poll=20ms": BadPoll, "poll=on": BadPoll,
	} {
		var o Options
		info := infoOf(line)
		problem, at := ParseCommandLine(info, &o)
		if problem != want || info.text(at) != line {
			t.Errorf("%q: problem %d with %q, want %d", line, problem, info.text(at), want)
		}
		if before, after := problem.Text(); before == "" || after == "" {
			t.Errorf("problem %d has no text", problem)
		}
	}
}
