package sim

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestATraceReplaysItsRun(t *testing.T) {
	for seed := range uint64(30) {
		for _, mode := range []Mode{ModeSeeded, ModePCT} {
			trace, out, err := Random(seed).Record(Options{Seed: seed, Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			again, err := Replay("t.trace", []byte(trace))
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, mode, err)
			}
			if !bytes.Equal(out.Bytes(), again.Bytes()) {
				t.Fatalf("seed %d, %s: the replay differs", seed, mode)
			}
		}
	}
}

func TestATraceThatCannotBeUsedIsRefusedInOneLine(t *testing.T) {
	trace, _, err := Random(3).Record(Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	choices := strings.Index(trace, "\nchoices ")
	step := strings.Index(trace[choices:], " t") + choices
	for _, test := range []struct{ text, want string }{
		{"", "this is no trace"},
		{"scenario S", "this is no trace"},
		{trace[:choices], "cut off: it has no line choices"},
		{trace[:len(trace)/2+choices/2], "cut off or damaged"},
		{trace[:len(trace)-3], "cut off or damaged"},
		{trace[:len(trace)-2], "cut off or damaged"}, // all choices are there, and a digit of their number is not
		{trace[:step] + " x9" + trace[step+3:], "is none: want s2/5"},
		{strings.Replace(trace, "trace hearth", "trace wishful", 1), `unknown policy "wishful"`},
		{strings.Replace(trace, "thread main\n", "thread main\n yield\n yield\n", 1), "recorded from another scheduler or scenario"},
		{strings.Replace(trace, "machine ", "machine X", 1), "t.trace:"},
	} {
		_, err := Replay("t.trace", []byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: error %v, want %q", test.text, err, test.want)
		}
	}
}

func TestAShrunkScenarioBreaksTheSame(t *testing.T) {
	sc := Random(12)
	sc.Expect = []Expectation{{Metric: "migrations", Of: "all", Compare: "==", Value: "0"}}
	var o Options
	for ; o.Seed < 50; o.Seed++ {
		if _, err := sc.Run(o); err != nil {
			break
		}
	}
	small, err := sc.Shrink(o)
	if err != nil {
		t.Fatal(err)
	}
	if brokenBy(small.Error) != sc.Expect[0].String() {
		t.Errorf("it breaks %q", brokenBy(small.Error))
	}
	text := small.Scenario.String()
	if n, before := strings.Count(text, "\n"), strings.Count(sc.String(), "\n"); n > 16 || n >= before {
		t.Errorf("%d lines are left of %d:\n%s", n, before, text)
	}
	again, err := Parse("shrunk.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Run(Options{Seed: small.Seed}); brokenBy(err) != brokenBy(small.Error) {
		t.Errorf("what is printed gives %v", err)
	}
	t.Logf("%d runs\n%s", small.Runs, text)
}

func TestARunThatBreaksNothingIsNotShrunk(t *testing.T) {
	if _, err := Random(1).Shrink(Options{Seed: 1}); err == nil || !strings.Contains(err.Error(), "breaks nothing") {
		t.Errorf("error %v", err)
	}
}

func TestASpawnIsExplainedByItsTerm(t *testing.T) {
	sc, err := Parse("s.txt", []byte("scenario S\nmachine L(2,2)\nthread main\n run 100us\n spawn t\n join t\nthread t\n run 5us\n"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := sc.Explain(Options{}, "t*")
	if want := "from CPU 0 to CPU 1 (distance 1) by far: 0, against 1 on CPU 2 (far 1, distance 2)"; err != nil || !strings.Contains(text, want) {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
	if _, err := sc.Explain(Options{}, "x"); err == nil || !strings.Contains(err.Error(), `spawns no thread "x"`) {
		t.Errorf("error %v", err)
	}
}

func FuzzReplay(f *testing.F) {
	trace, _, _ := Random(3).Record(Options{Seed: 3})
	f.Add(trace)
	f.Add("trace hearth\nscenario S\nmachine L(1)\nthread main\nchoices 0\nend 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Replay("f", []byte(text)); err != nil && strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("the error has several lines: %q", err)
		}
	})
}

func TestAStepOfAnotherMachineIsRefused(t *testing.T) {
	r := &replayer{left: []string{"s1/3"}}
	if r.step(nil, make([]choice, 2)); !strings.Contains(r.wrong, "choice 0 is s1/3 where the run has 2 steps") {
		t.Errorf("%q", r.wrong)
	}
}
