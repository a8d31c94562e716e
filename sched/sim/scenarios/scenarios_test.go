package scenarios

import (
	"errors"
	"flag"
	"fmt"
	"hearth/sched/sim"
	_ "hearth/sched/sim/policies" // makes them known
	"os"
	"strings"
	"testing"
)

var (
	seeds   = flag.Int("seeds", 2, "how many seeds each scenario gets")
	oneSeed = flag.Int64("seed", -1, "run this seed alone")
)

func all(t *testing.T) []*sim.Scenario {
	t.Helper()
	list, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// name is the scenario's file without its ending.
func name(sc *sim.Scenario) string {
	return strings.TrimSuffix(strings.Join([]string{sc.Name, sc.Kind}, "-"), "-")
}

// Every scenario holds on Hearth's scheduler, whatever the seed.
func TestScenarios(t *testing.T) {
	for _, sc := range all(t) {
		t.Run(name(sc), func(t *testing.T) {
			if sc.Exhaustive > 0 {
				exhaust(t, sc)
				return
			}
			first, last := uint64(0), uint64(*seeds)
			if *oneSeed >= 0 {
				first, last = uint64(*oneSeed), uint64(*oneSeed)+1
			}
			reach := map[string]int{}
			for seed := first; seed < last; seed++ {
				out, err := sc.Run(sim.Options{Seed: seed})
				if err != nil {
					t.Fatalf("%v\nrepeat: go test ./sched/sim/scenarios -run '^TestScenarios$/^%s$' -seed %d", err, name(sc), seed)
				}
				for invariant, n := range out.Reach {
					reach[invariant] += n
				}
			}
			if missing := sc.Unreached(reach); missing != "" && *oneSeed < 0 {
				t.Errorf("no run put %s to the test", missing)
			}
		})
	}
}

// mostRuns bounds an exhaustive search.
const mostRuns = 1_000_000

func exhaust(t *testing.T, sc *sim.Scenario) {
	done, _, err := sc.Exhaust(sim.Options{}, mostRuns)
	if err != nil || !done.Complete {
		t.Errorf("after %d runs: %v", done.Runs, err)
	}
	t.Logf("%d runs", done.Runs)
}

// Every policy that was reported to fail a scenario fails it here as it was reported to,
// in some seed: so the scenario can fail, and by what it is about.
func TestReportedPoliciesFail(t *testing.T) {
	for _, sc := range all(t) {
		for i := range sc.Fails {
			f := &sc.Fails[i]
			t.Run(name(sc)+"/"+f.Policy, func(t *testing.T) {
				if len(f.By) == 0 {
					t.Errorf("line %d: %s: it says not by what", f.Line, f)
				}
				if seed, ok := failure(t, sc, f); ok {
					t.Logf("%s: seed %d", f, seed)
				} else {
					t.Errorf("%s: none of %d seeds shows it", f, failSeeds)
				}
			})
		}
	}
}

// Hearth's key holds on the model, too: what the scenarios ask is a matter of the rule,
// and the mechanisms that carry it out are not what makes the difference. That a woken
// thread waits for a waker which blocks at once is a mechanism's.
func TestKeyOnTheModel(t *testing.T) {
	for _, sc := range all(t) {
		if sc.Exhaustive > 0 || name(sc) == "P18-blocks" {
			continue
		}
		t.Run(name(sc), func(t *testing.T) {
			for seed := range uint64(*seeds) {
				_, err := sc.Run(sim.Options{Engine: "key", Seed: seed})
				if err != nil && !dear(err) {
					t.Fatal(err)
				}
			}
		})
	}
}

// dear reports whether all that a run missed is a bound of what decisions cost: the
// model looks at every CPU.
func dear(err error) bool {
	var missed *sim.Missed
	return errors.As(err, &missed) && strings.Contains(err.Error(), "lines-per-decision")
}

// failSeeds bounds how long a policy is given to fail.
const failSeeds = 300

// failure returns the first seed in which a policy fails as it was reported to; false if
// there is none.
func failure(t *testing.T, sc *sim.Scenario, f *sim.Failing) (uint64, bool) {
	t.Helper()
	if sc.Exhaustive > 0 {
		_, out, err := sc.Exhaust(sim.Options{Engine: f.Policy}, mostRuns)
		return 0, f.Shows(sc, out, err)
	}
	for seed := range uint64(failSeeds) {
		out, err := sc.Run(sim.Options{Engine: f.Policy, Seed: seed, Keep: true})
		if out == nil {
			t.Fatal(err)
		}
		if f.Shows(sc, out, err) {
			return seed, true
		}
	}
	return 0, false
}

func TestAFileIsNamedAfterItsScenario(t *testing.T) {
	for _, sc := range all(t) {
		found, err := Named(name(sc))
		if err != nil || found.Title != sc.Title {
			t.Errorf("%s: %v", name(sc), err)
		}
	}
	if _, err := Named("P99"); err == nil || !strings.Contains(err.Error(), "there are P01, ") {
		t.Errorf("an unknown one gives: %v", err)
	}
}

// Each number of the collection is a scenario or a topology case, and such a case has
// tests.
func TestEveryNumberOfTheCollectionIsHere(t *testing.T) {
	here := map[string]bool{}
	for _, sc := range all(t) {
		here[strings.TrimRight(sc.Name, "abcd")] = true
	}
	tests, err := os.ReadFile("../../../cpu/scenarios_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Topologies() {
		here[c.Name] = strings.Contains(string(tests), "\nfunc Test"+c.Name)
	}
	for n := 1; n <= 32; n++ {
		if name := fmt.Sprintf("P%02d", n); !here[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// With every SMT sibling offline threads are placed as on a machine without SMT: both
// files claim the same placements.
func TestPairsOfScenariosClaimTheSame(t *testing.T) {
	none, off := claims(t, "P25-none"), claims(t, "P25-off")
	if none != off || !strings.Contains(none, "placed w9") {
		t.Errorf("without SMT:\n%s\nswitched off:\n%s", none, off)
	}
}

func claims(t *testing.T, name string) (text string) {
	t.Helper()
	sc, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sc.Expect {
		text += sc.Expect[i].String() + "\n"
	}
	return text
}
