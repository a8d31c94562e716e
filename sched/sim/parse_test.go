package sim

import (
	"reflect"
	"strings"
	"testing"
)

const everything = `
scenario P00 everything of it   # a comment
title    one of each
report   gh:example/example#1 2026-01-01
machine  L(4,4)s2
costs    amd-2llc
start    1
isolated {5}
absent   {12-15}
slow     {8-11} 400
latency  {1-3} 100us
kicks    3us
seeds    7
steps    20000
thread main
  run 100us ; critical 2us ; run any 3us ; block-for any 3us
  spawn t on {1}
  each i 0..3
    spawn w named w$i on {${i%2*2}} as real-time apart
    spawn odd$i
  end
  repeat 3
    wake t
    block-for 5us
  end
  together
    wake t
    set-mask t {0-3}
  end
  set-mask {1-2} ; move-self {2} ; yield
  spawn low as background weight 3 gang 4
  spawn other process 2
  spawn m as service
  block-until 2ms
  each i 0..3
    join w$i ; join odd$i
  end
  wake t ; join t ; join low
  exit 3
thread t
  block
  run 1us
thread w
  run 10us
thread odd0
  run 1us
thread odd1
  run 1us
thread odd2
  run 2us
thread odd3
  run 1us
thread other
  post q ; post q 2 ; take q ; take q ; take q ; close q
  spawn child
  run 1us
thread child
  run 1us
thread low
  run 1us
thread m
  run 1us
expect waited t <= 50ms
expect cpu w* in {0-7}
expect inside w*,odd* {0-11} == 8
expect migrations-after all 1s == 0
expect migrations all <= 20
expect invariant one-place
fails pick-two
fails linux osv by waited one-place
`

func TestAParsedScenarioRuns(t *testing.T) {
	sc, err := Parse("everything.txt", []byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := sc.Run(Options{Seed: 1}); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
}

func TestWhatIsWrittenIsWhatWasParsed(t *testing.T) {
	first, err := Parse("everything.txt", []byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	text := first.String()
	again, err := Parse("written.txt", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, sc := range []*Scenario{first, again} {
		sc.file = ""
		for i := range sc.Fails {
			sc.Fails[i].Line = 0
		}
		for i := range sc.Expect {
			sc.Expect[i].line = 0
		}
		forgetLines(sc.Main)
	}
	if !reflect.DeepEqual(first, again) {
		t.Errorf("differs after\n%s", text)
	}
	if !strings.Contains(text, "repeat 3\n    wake t\n    block-for 5µs\n  end") {
		t.Errorf("the loop is lost in\n%s", text)
	}
}

// forgetLines takes from ops where they stood.
func forgetLines(program []Op) {
	for i := range program {
		program[i].line = 0
		forgetLines(program[i].program)
	}
}

func TestABadScenarioFileIsRefusedInOneLine(t *testing.T) {
	const head = "scenario S\nmachine L(2)\n"
	for _, test := range []struct{ text, want string }{
		{head + "poll 2ms\nthread main\n run 1us\n", "s.txt:3: 2ms is too long to poll: want at most 1ms"},
		{head + "poll soon\nthread main\n run 1us\n", "s.txt:3: \"soon\": want a time such as 2us"},
		{head + "absent {0-1}\nthread main\n run 1us", "no CPU is there; leave one out of absent"},
		{head + "isolated {1}\nabsent {0}\nthread main\n run 1us", "such as start 1"},
		{"", "s.txt:1: the file is empty"},
		{"machine L(2)", `s.txt:1: "machine": the first line must be`},
		{"scenario S\nthread main\n run 1us", "s.txt:3: scenario S has no machine line"},
		{head, "has no thread main"},
		{"scenario S\nmachine L(0)", `s.txt:2: machine "L(0)"`},
		{"scenario S\nmachine L(2000)", "want a number from 1 to 1024"},
		{"scenario S\nmachine cores {0} {2}", "not 0 to 1 without holes"},
		{"scenario S\nmachine cores {0} {0}", "has a CPU of another core"},
		{head + "costs nothing", `"nothing": want one of amd-2llc`},
		{head + "isolated {2}", "the machine has CPUs 0 to 1"},
		{head + "absent {0}\nthread main\n run 1us", "main cannot start there: the CPU is absent; start on one that is there, such as start 1"},
		{head + "start 9\nthread main\n run 1us", "s.txt:3: start 9: main cannot start there: the machine has CPUs 0 to 1"},
		{head + "machine L(4)", "s.txt:3: machine is already given on line 2"},
		{head + "title a\n\ntitle b", "s.txt:5: title is already given on line 3"},
		{"scenario S\nmachine hybrid\ncosts vm", "s.txt:3: costs is already given on line 2"},
		{"scenario S\nmachine nosuch", `s.txt:2: machine "nosuch": want LLC domains such as L(6,6)s2, the CPUs of each core such as cores {0,1} {2} | {3}, or one of one two `},
		{"scenario S\nmachine cores {0,0}", `s.txt:2: machine "cores {0,0}": core {0,0} has a CPU twice, in 0`},
		{"scenario S\nmachine cores {0-2,1}", "core {0-2,1} has a CPU twice, in 1"},
		{head + "thread main\n run 1us\n wake t\n run 1us", "s.txt:5: nothing spawns a thread t; there are main"},
		{head + "thread main\n spawn t\n run 1us\nthread t\n repeat 2\n join u\n end", "s.txt:8: nothing spawns a thread u; there are main t"},
		{head + "thread main\n together\n wake t\n end", "s.txt:5: nothing spawns a thread t"},
		{head + "thread main\n set-mask t {0}", "s.txt:4: nothing spawns a thread t"},
		{head + "expect waited t < 1us\nthread main\n run 1us", "s.txt:3: expect waited t < 1us: no thread has a name such as t; there are main"},
		{head + "thread main\n run 1us\nexpect cpu main,w* in {0}", "no thread has a name such as w*"},
		{head + "fails", "s.txt:3: want: fails POLICY ... by NAME ..."},
		{head + "fails by waited", "s.txt:3: want: fails POLICY ... by NAME ..."},
		{head + "fails linux by", "s.txt:3: want: fails POLICY ... by NAME ..."},
		{head + "fails linux osv\nfails osv", "s.txt:4: osv is already reported to fail on line 3"},
		{head + "fails linux by waited\nthread main\n run 1us\nexpect elapsed < 1s", `s.txt:3: fails linux by waited: "waited" is no invariant and no metric of a claim here: want one of affinity-held `},
		{head + "fails linux by one-place invariant\nthread main\n run 1us\nexpect invariant one-place", `"invariant" is no invariant`},
		{head + "thread main\n run 1us\nexpect split-pairs m s == 0", "no thread has a name such as s;"},
		{head + "run 1us", `"run" belongs in a thread`},
		{head + "thread main\n walk 1us", `s.txt:4: "walk": want one of block`},
		{head + "thread main\n run soon", `run: "soon": want a time such as 2us`},
		{head + "thread main\n run -1us", "want a time such as 2us"},
		{head + "thread main\n repeat 2\n run 1us", "repeat is not closed"},
		{head + "thread main\n end", "no loop is open"},
		{head + "thread main\n repeat 2\nthread t", "end it with end"},
		{head + "thread main\n repeat 400000\n repeat 400000\n yield\n end\n end", "unroll to more than"},
		{head + "thread main\n each i 3..1\n yield\n end", "want a number from 3"},
		{head + "thread main\n wake w$j", "there is no variable j here"},
		{head + "thread main\n each i 0..1\n wake w${i/0}\n end", "divides by zero"},
		{head + "thread main\n spawn t", `there is no thread "t"; there are main`},
		{head + "thread main\n spawn t\nthread t\n spawn t", "thread t spawns itself"},
		{head + "thread main\n spawn t as king\nthread t", "want one of background fair real-time service"},
		{head + "thread main\n spawn t on {7}\nthread t", "the machine has CPUs 0 to 1"},
		{head + "thread main\n spawn t far\nthread t", `"far": want a word behind it`},
		{head + "thread main\n run 1us\nthread t", "s.txt:5: nothing spawns thread t"},
		{head + "thread main\nthread main", "already on line 3"},
		{head + "thread main\n together\n run 1us\n end", "only wake and set-mask"},
		{head + "expect speed t < 1", `"speed": want one of cpu`},
		{head + "expect waited t < 1", "want a time"},
		{head + "expect waited t ~ 1us", `"~": want one of <`},
		{head + "expect cpu t in 9x", "neither a CPU nor a range"},
		{head + "expect invariant all-well", `"all-well": want one of the invariants`},
	} {
		_, err := Parse("s.txt", []byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want %q", test.text, err, test.want)
		}
	}
}

func TestAnExpectationThatDoesNotHoldIsTheErrorOfTheRun(t *testing.T) {
	for _, test := range []struct{ expect, want string }{
		{"elapsed < 1us", "seed 4: expect elapsed < 1us: "},
		{"used-cpus t > 1", "t 1"},
		{"cpu t in {0}", "t on CPU 1"},
		{"waited x* < 1s", "there is nothing to measure it on"},
		{"invariant finalised-once", ""},
		{"inside t {0} > 0", "t {0} 0"},
		{"ran t in {0}", "t on CPU 1"},
		{"split-pairs t x > 1", "t x 1"},
		{"max-home-threads all > 1", "all 1"},
		{"max-core-threads m*,t > 1", "m*,t 1"},
		{"migrations-after t 1us > 0", "t 1us 0"},
		{"peak-running all == 1", "all 2"},
		{"waited-net t > 0s", "t 0s"},
		{"late t > 2us", "t 0s"},
		{"early t > 0s", "t 0s"},
		{"preemptions t > 0", "t 0"},
		{"wakes > 1", "1"},
		{"decision-growth > 1", " 1"},
		{"empty-wakes > 0", " 0"},
		{"item-wakes > 0", " 0"},
	} {
		text := "scenario S\nmachine L(2)\nthread main\n run 100us\n spawn t\n run 20us\n join t\n exit\n spawn x\nthread t\n run 5us\nthread x\nexpect " + test.expect
		sc, err := Parse("s.txt", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = sc.Run(Options{Seed: 4})
		if _, missed := err.(*Missed); missed != (test.want != "") || missed && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.expect, err, test.want)
		}
	}
}

func TestReachIsOfAllRunsTogether(t *testing.T) {
	sc, err := Parse("s.txt", []byte("scenario S\nmachine L(2)\nthread main\n run 1us\nexpect invariant one-place\nexpect invariant affinity-held"))
	if err != nil {
		t.Fatal(err)
	}
	reach := map[string]int{"one-place": 1}
	if got := sc.Unreached(reach); got != "affinity-held" {
		t.Errorf("not put to the test: %q", got)
	}
	if reach["affinity-held"] = 1; sc.Unreached(reach) != "" {
		t.Error("all were reached")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(everything)
	f.Add("scenario S\nmachine L(2)\nthread main\n each i 0..3\n run ${i*2}us\n end\n")
	f.Fuzz(func(t *testing.T, text string) {
		sc, err := Parse("f", []byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
			return
		}
		written := sc.String()
		again, err := Parse("w", []byte(written))
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if again.String() != written {
			t.Errorf("it is not stable:\n%s\n%s", written, again)
		}
	})
}

func TestACommentBeginsWhereAWordMay(t *testing.T) {
	for line, want := range map[string]string{
		"report gh:a/b#12 # more": "report gh:a/b#12 ",
		"# all":                   "",
		"\t# all":                 "\t",
		"block;# wait":            "block;",
		"a#":                      "a#",
	} {
		if got := uncommented(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	sc, err := Parse("p", []byte(everything))
	if err != nil || sc.Report != "gh:example/example#1 2026-01-01" {
		t.Errorf("report %q, %v", sc.Report, err)
	}
}
