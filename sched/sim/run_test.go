package sim

import (
	"flag"
	"fmt"
	"hearth/cpu"
	"regexp"
	"strings"
	"testing"
	"time"
)

var oneSeed = flag.Int64("seed", -1, "run this seed alone")

// seeds runs the scenario that make gives for each seed from 0 to n-1, or for the
// one of -seed, and hands each outcome to judge, which may be nil. A failure prints
// the seed and the line that repeats it. Each invariant of reach must have been put
// to the test somewhere.
func seeds(t *testing.T, n int, make func(seed uint64) *Scenario, judge func(*Outcome) error, reach ...string) {
	t.Helper()
	first, last := int64(0), int64(n)
	if *oneSeed >= 0 {
		first, last = *oneSeed, *oneSeed+1
	}
	total := map[string]int{}
	for seed := first; seed < last; seed++ {
		sc, o := make(uint64(seed)), Options{Seed: uint64(seed)}
		if sc.NoOracle { // a test that judges by what comes of the placements says what that is
			o.Counted = []string{OwnRule}
		}
		out, err := sc.Run(o)
		if err == nil && judge != nil {
			err = judge(out)
		}
		if err != nil {
			t.Fatalf("%v\nrepeat: go test ./sched/sim -run '%s' -seed %d", err, pattern(t.Name()), seed)
		}
		sum(total, out.Reach)
	}
	for _, name := range reach {
		if total[name] == 0 && *oneSeed < 0 {
			t.Errorf("no run put %s to the test", name)
		}
	}
	t.Log(total)
}

// pattern is the -run flag that selects the test of that name alone.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	return strings.Join(parts, "/")
}

func always(sc *Scenario) func(uint64) *Scenario { return func(uint64) *Scenario { return sc } }

func names(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return all
}

// bound is how long a thread may wait where the claim is that it does not: the time
// of a few kernel entries and two late kicks.
const bound = 100 * time.Microsecond

func (o *Outcome) waitedAtMost(limit time.Duration, names ...string) error {
	for _, name := range names {
		if e := o.End(name); e.CPU == cpu.None || e.Waited > limit {
			return fmt.Errorf("%s was runnable for %v and did not run", name, e.Waited)
		}
	}
	return nil
}

func joinAll(names []string) (ops []Op) {
	for _, name := range names {
		ops = append(ops, Join(name))
	}
	return ops
}

func wakeAll(names []string) (ops []Op) {
	for _, name := range names {
		ops = append(ops, Wake(name))
	}
	return ops
}
