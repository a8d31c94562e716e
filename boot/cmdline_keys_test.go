package boot

import (
	"math/bits"
	"strings"
	"testing"
)

func TestEveryFaultHasANameAndABit(t *testing.T) {
	names := strings.Split(faultNames, ", ")
	if n := bits.Len32(uint32(FaultTSCOffset)); n != len(names) {
		t.Fatalf("%d names of %d faults", len(names), n)
	}
	for i, name := range names {
		if i > 0 && names[i-1] >= name {
			t.Errorf("%s stands behind %s", name, names[i-1])
		}
		var o Options
		if problem, _ := parseLine(infoOf("fault="+name), &o, true); problem != NoLineProblem || o.Faults != 1<<i {
			t.Errorf("%s: problem %d, faults %b", name, problem, o.Faults)
		}
	}
}

func TestFaultsAndWatchdogAreRead(t *testing.T) {
	for line, want := range map[string]struct {
		faults   Fault
		watchdog int
	}{
		"":                          {0, WatchdogDefault},
		"fault=late-kick":           {FaultLateKick, WatchdogDefault},
		"fault=late-kick,silent-ap": {FaultLateKick | FaultSilentAP, WatchdogDefault},
		"fault=silent-ap fault=tsc-drift,silent-ap": {FaultSilentAP | FaultTSCDrift, WatchdogDefault},
		"watchdog=off":             {0, 0},
		"watchdog=off watchdog=on": {0, WatchdogDefault},
		"watchdog=1":               {0, 1},
		"watchdog=3600":            {0, 3600},
		"-- fault=x watchdog=y":    {0, WatchdogDefault},
	} {
		info := infoOf(line)
		var o Options
		problem, at := parseLine(info, &o, true)
		if problem != NoLineProblem || o.Faults != want.faults || o.Watchdog != want.watchdog {
			t.Errorf("%q: problem %d with %q, faults %b, watchdog %d", line, problem, info.text(at), o.Faults, o.Watchdog)
		}
	}
}

func TestWrongFaultOrWatchdogIsRefusedByName(t *testing.T) {
	for line, want := range map[string]struct {
		built   bool
		problem LineProblem
		word    string
	}{
		"fault=late-kick":               {false, FaultRefused, "late-kick"},
		"fault=nonsense,late-kick":      {false, FaultRefused, "nonsense,late-kick"},
		"fault=x":                       {true, UnknownFault, "x"},
		"fault=":                        {true, UnknownFault, ""},
		"fault":                         {true, UnknownFault, ""},
		"fault=late-kick,":              {true, UnknownFault, ""},
		"fault=late-kick,,":             {true, UnknownFault, ""},
		"fault=late-kick,late":          {true, UnknownFault, "late"},
		"fault=tsc-offset,":             {true, UnknownFault, ""},
		"fault=tsc-offsets":             {true, UnknownFault, "tsc-offsets"},
		"placement=":                    {true, BadPlacement, "placement="},
		"placement":                     {true, BadPlacement, "placement"},
		"placement=costs":               {true, BadPlacement, "placement=costs"},
		"watchdog=":                     {true, BadWatchdog, "watchdog="},
		"watchdog":                      {true, BadWatchdog, "watchdog"},
		"watchdog=0":                    {true, BadWatchdog, "watchdog=0"},
		"watchdog=3601":                 {true, BadWatchdog, "watchdog=3601"},
		"watchdog=1s":                   {true, BadWatchdog, "watchdog=1s"},
		"watchdog=18446744073709551617": {true, BadWatchdog, "watchdog=18446744073709551617"},
	} {
		info := infoOf(line)
		var o Options
		problem, at := parseLine(info, &o, want.built)
		if problem != want.problem || info.text(at) != want.word {
			t.Errorf("%q: problem %d with %q, want %d with %q", line, problem, info.text(at), want.problem, want.word)
		}
		if before, after := problem.Text(); before == "" || after == "" {
			t.Errorf("problem %d has no text", problem)
		}
	}
}

// An image for figures must not fail because of a word that a test left behind.
func TestReleaseKernelRefusesEveryFault(t *testing.T) {
	var o Options
	problem, _ := ParseCommandLine(infoOf("fault=silent-ap"), &o)
	if FaultsBuilt != (problem == NoLineProblem) || !FaultsBuilt && problem != FaultRefused {
		t.Errorf("built to fail: %v, problem %d", FaultsBuilt, problem)
	}
}

func TestPlacementRanksByCostIfTold(t *testing.T) {
	for line, want := range map[string]bool{"": false, "placement=rank": false, "placement=cost": true, "placement=cost placement=rank": false} {
		var o Options
		if problem, _ := ParseCommandLine(infoOf(line), &o); problem != NoLineProblem || o.ByCost != want {
			t.Errorf("%q: problem %d, by cost %v, want %v", line, problem, o.ByCost, want)
		}
	}
}
