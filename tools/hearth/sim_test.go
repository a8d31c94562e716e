package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hearth/sched/sim"
)

const quickScenario = `scenario quick
title    a thread runs
machine  L(2)
seeds    3
thread main
  spawn t ; join t
thread t
  run 10us
expect waited t <= 1ms
`

// scenarioFile writes a scenario, some of whose words are others.
func scenarioFile(t *testing.T, oldnew ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "quick.txt")
	text := strings.NewReplacer(oldnew...).Replace(quickScenario)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestBadInputOfTheSimulatorIsOneLineAndStatusTwo(t *testing.T) {
	quick := scenarioFile(t)
	for _, test := range []struct{ args, want string }{
		{"sim frobnicate", `hearth sim: unknown command "frobnicate"; `},
		{"sim run", "hearth sim: name a scenario or its file: `hearth sim run P05-woken`"},
		{"sim run P99", `hearth sim: unknown scenario "P99": there are P01, `},
		{"sim run nosuch.txt", "hearth sim: open nosuch.txt: no such file"},
		{"sim run " + quick + " more", `hearth sim: unexpected argument "more"`},
		{"sim run " + quick + " -policy nonsense", `hearth sim: unknown policy "nonsense": there are `},
		{"sim run " + quick + " -mode nonsense", `hearth sim: unknown mode "nonsense": want seeded, pct, exhaustive`},
		{"sim run " + quick + " -mode exhaustive", "hearth sim: scenario quick has no bound for an exhaustive search: add a line such as exhaustive 4"},
		{"sim run " + quick + " -seeds 0", "hearth sim: -seeds 0: want at least 1"},
		{"sim run " + quick + " -seed 1 -seeds 2", "hearth sim: -seed runs one seed, -seeds many"},
		{"sim run " + quick + " -turbo", "hearth sim: unknown flag -turbo; `hearth sim run -h` lists the flags"},
		{"sim run " + scenarioFile(t, "L(2)", "L(0)"), "hearth sim: "},
		{"sim run " + scenarioFile(t, "L(2)", "L(2000)"), "hearth sim: "},
		{"sim run " + scenarioFile(t, "run 10us", "walk 10us"), "hearth sim: "},
		{"sim run " + scenarioFile(t, "join t", "join u"), "hearth sim: "},
		{"sim run " + scenarioFile(t, "waited", "weighted"), "hearth sim: "},
		{"sim run " + quick + " -trace t", "hearth sim: -trace writes one run down: give its -seed"},
		{"sim replay", "hearth sim: name a trace"},
		{"sim replay nosuch.trace", "hearth sim: open nosuch.trace: no such file"},
		{"sim replay " + quick, "hearth sim: " + quick + ": this is no trace"},
		{"sim run " + filepath.Dir(quick), "hearth sim: " + filepath.Dir(quick) + " is a directory: name a scenario's file in it"},
		{"sim run " + scenarioFile(t, "spawn t ; join t", "join t ; spawn t"), "hearth sim: "},
		{"sim run " + scenarioFile(t, "expect waited t", "expect waited u"), "hearth sim: "},
		{"sim shrink " + quick + " -seed 0", "hearth sim: scenario quick: seed 0 breaks nothing"},
		{"sim shrink " + quick, "hearth sim: shrink starts from a run that breaks something: give its -seed; `hearth sim run " + quick + "` finds one"},
		{"sim shrink " + quick + " -seed 0 -mode lucky", `hearth sim: unknown mode "lucky"`},
		{"sim explain " + quick + " x", `hearth sim: scenario quick spawns no thread "x"`},
		{"sim explain " + quick + " -policy nonsense", `hearth sim: unknown policy "nonsense": there are `},
		{"sim list all", `hearth sim: unexpected argument "all"`},
		{"sim score -policies hearth,nonsense", `hearth sim: unknown policy "nonsense": there are `},
		{"sim score -seeds 0", "hearth sim: -seeds 0: want at least 1"},
		{"sim score P99", `hearth sim: unknown scenario "P99": there are P01, `},
		{"sim score " + quick + " -policies hearth -svg nosuch/s.svg", "hearth sim: open nosuch/s.svg: no such file"},
	} {
		status, _, stderr := hearth(t, strings.Fields(test.args)...)
		if status != 2 || !strings.HasPrefix(stderr, test.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("hearth %s: status %d, stderr %q, want 2 and one line %q", test.args, status, stderr, test.want)
		}
		if strings.HasSuffix(test.want, "hearth sim: ") && !regexp.MustCompile(`quick\.txt:\d+: `).MatchString(stderr) {
			t.Errorf("hearth %s: %q names no line of the file", test.args, stderr)
		}
	}
}

func TestAFailsLineNamesPoliciesThatThereAre(t *testing.T) {
	file := scenarioFile(t, "thread main", "fails nobody\nthread main")
	status, _, stderr := hearth(t, "sim", "run", file)
	if status != 2 || !strings.HasPrefix(stderr, "hearth sim: "+file+`:5: fails: unknown policy "nobody": there are `) || strings.Count(stderr, "\n") != 1 {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

func TestSimRunTellsPassFromFailure(t *testing.T) {
	status, stdout, stderr := hearth(t, "sim", "run", scenarioFile(t), "-v")
	if status != 0 || !strings.Contains(stdout, "3 runs under hearth: pass") || !strings.Contains(stdout, "one-place") {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	file := scenarioFile(t, "<= 1ms", "> 1h")
	status, _, stderr = hearth(t, "sim", "run", file, "-policy", "osv")
	if repeat := "hearth sim run " + file + " -policy osv -seed 0"; status != 1 || !strings.Contains(stderr, "repeat it: "+repeat+"\n") {
		t.Errorf("no line that repeats it, %q: status %d, stderr %q", repeat, status, stderr)
	}
	status, _, stderr = hearth(t, "sim", "run", file)
	if status != 1 || !strings.Contains(stderr, "seed 0: expect waited t > 1h") || !strings.Contains(stderr, "hearth sim run "+file+" -seed 0") {
		t.Errorf("a claim that does not hold: status %d, stderr %q", status, stderr)
	}
}

func TestSimListNamesEverything(t *testing.T) {
	status, stdout, stderr := hearth(t, "sim", "list")
	for _, name := range sim.Engines() {
		if !regexp.MustCompile(`(?m)^  ` + regexp.QuoteMeta(name) + `  `).MatchString(stdout) {
			t.Errorf("no line of policy %s", name)
		}
	}
	for _, want := range []string{"P05-woken", "P24 ", "siblings-far-apart", "hearth", "linux", "used-cores", "work-conserved"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("status %d, stderr %q, no %q in\n%s", status, stderr, want, stdout)
		}
	}
}

func TestSimScoreWritesItsFiles(t *testing.T) {
	dir := t.TempDir()
	svg, data := filepath.Join(dir, "s.svg"), filepath.Join(dir, "s.json")
	status, stdout, stderr := hearth(t, "sim", "score", scenarioFile(t), "-policies", "hearth,hearth", "-seeds", "2", "-svg", svg, "-json", data)
	if status != 0 || !strings.Contains(stdout, "1 scenarios, 1 policies, 2 runs each") {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	for name, begin := range map[string]string{svg: "<svg ", data: "{"} {
		if text, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(text), begin) {
			t.Errorf("%s: %.20q, error %v", name, text, err)
		}
	}
	status, _, stderr = hearth(t, "sim", "score", scenarioFile(t, "<= 1ms", "> 1h"), "-policies", "hearth", "-seeds", "2")
	if status != 1 || !strings.Contains(stderr, "hearth fails 1 of 1 scenarios") {
		t.Errorf("Hearth fails: status %d, stderr %q", status, stderr)
	}
}

func TestARunIsSavedReplayedShrunkAndExplained(t *testing.T) {
	file := scenarioFile(t, "1ms", "1ns")
	trace := filepath.Join(t.TempDir(), "t.trace")
	status, _, stderr := hearth(t, "sim", "run", file, "-seed", "2", "-trace", trace)
	if status != 1 {
		t.Fatalf("the run: status %d, %s", status, stderr)
	}
	if status, _, stderr := hearth(t, "sim", "replay", trace); status != 1 || !strings.Contains(stderr, "waited t <= 1ns") {
		t.Errorf("the replay: status %d, %s", status, stderr)
	}
	status, stdout, stderr := hearth(t, "sim", "shrink", file, "-seed", "2")
	if status != 0 || !regexp.MustCompile(`^# with -seed \d+ it breaks: seed \d+: expect waited t <= 1ns: `).MatchString(stdout) || !strings.Contains(stdout, "thread main\n  spawn t\nthread t\n") {
		t.Errorf("shrunk: status %d, %s%s", status, stdout, stderr)
	}
	if status, stdout, _ := hearth(t, "sim", "explain", scenarioFile(t)); status != 0 || !strings.HasPrefix(stdout, "quick under hearth, seed 0\nspawn 0: t at ") {
		t.Errorf("explained: status %d, %s", status, stdout)
	}
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(trace, data[:len(data)-9], 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := hearth(t, "sim", "replay", trace); status != 2 || !strings.Contains(stderr, "cut off") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("a cut trace: status %d, %s", status, stderr)
	}
}
