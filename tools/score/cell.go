package score

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hearth/sched/sim"
)

// Cell is what one policy did on one scenario.
type Cell struct {
	Scenario string
	Policy   string
	Runs     int
	Passed   int    // runs in which every invariant and expectation held
	First    string `json:",omitempty"` // what went wrong in the first run that failed
	Counts

	waits []time.Duration
	hung  bool // the policy did not come back; it is not asked again
}

// Counts is what a run cost, and what was wrong with it.
type Counts struct {
	Decisions  int           // spawns placed and threads woken
	Kicks      int           // sent
	Lines      int           // of other LLC domains that decisions looked at
	Unserved   int           // breaches of work-conserved: a thread waited while a CPU idled
	SplitPairs int           // threads placed outside their spawner's LLC domain
	Stacked    int           // decisions that shared a core while an allowed one was free
	P99        time.Duration // 99th percentile of the waits of a scenario; of all: the median of those
	Judged     int           // placements that the oracle judged
	Unlike     int           // those of them that broke the policy's own written rule, sim.OwnRule
	GapSum     float64       // of all placements, how much dearer than the best one, as a share
	Gaps       int           // placements in GapSum
}

// Total is a policy over all scenarios.
type Total struct {
	Policy string
	Passed int // scenarios of which every run passed
	Of     int
	Counts
}

// Share is the part of the runs that passed.
func (c *Cell) Share() float64 {
	if c.Runs == 0 {
		return 0
	}
	return float64(c.Passed) / float64(c.Runs)
}

// PerDecision divides a count by the decisions.
func (c *Counts) PerDecision(n int) float64 { return float64(n) / float64(max(c.Decisions, 1)) }

// Gap is the mean of the gaps.
func (c *Counts) Gap() float64 { return c.GapSum / float64(max(c.Gaps, 1)) }

// exhaustiveRuns bounds a scenario whose every interleaving is tried.
const exhaustiveRuns = 20_000

// run takes the scenario through the seeds, or through every interleaving if it asks
// for that. The error says that it cannot be run.
func (c *Cell) run(ctx context.Context, sc *sim.Scenario, seeds int, patience time.Duration) error {
	if sc.Exhaustive > 0 {
		out, err := exhaust(sc, sim.Options{Engine: c.Policy, Counted: ownRule, Patience: patience})
		defer c.rank()
		return c.note(sc, out, err)
	}
	for seed := range seeds {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.hung {
			break
		}
		if err := c.one(sc, sim.Options{Seed: uint64(seed), Engine: c.Policy, Patience: patience}); err != nil {
			return err
		}
	}
	c.rank()
	return nil
}

// rank finds the 99th percentile of all waits.
func (c *Cell) rank() { c.P99 = percentile(c.waits, 99) }

// ownRule has breaches of a policy's own rule counted: whoever changes the rule wants
// to know what the scenarios say of the new one.
var ownRule = []string{sim.OwnRule}

// one makes a run that goes on after a violation, to count; what broke first is told
// by the same run without.
func (c *Cell) one(sc *sim.Scenario, o sim.Options) error {
	o.Keep = true
	out, err := attempt(func() (*sim.Outcome, error) { return sc.Run(o) })
	if err == nil && len(out.Violations) > 0 {
		o.Keep, o.Counted = false, ownRule
		_, err = attempt(func() (*sim.Outcome, error) { return sc.Run(o) })
	}
	return c.note(sc, out, err)
}

// exhaust tries every interleaving, or as many as the bound lets it.
func exhaust(sc *sim.Scenario, o sim.Options) (*sim.Outcome, error) {
	var done sim.Exhausted
	out, err := attempt(func() (out *sim.Outcome, err error) {
		done, out, err = sc.Exhaust(o, exhaustiveRuns)
		return out, err
	})
	if done.Runs == exhaustiveRuns && !isResult(err) {
		return out, nil // none of so many failed
	}
	return out, err
}

// crashed is the failure of a policy that panicked.
type crashed struct{ what any }

func (e crashed) Error() string { return fmt.Sprintf("panic: %v", e.what) }

// attempt makes a policy's panic its failure, not the board's.
func attempt(run func() (*sim.Outcome, error)) (out *sim.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = crashed{p}
		}
	}()
	return run()
}

// isResult reports whether an error is about the run and not about what was to run.
func isResult(err error) bool {
	return errors.As(err, new(*sim.Violation)) || errors.As(err, new(*sim.Missed)) || errors.As(err, new(crashed))
}

// note adds a run. It returns the errors that are no result.
func (c *Cell) note(sc *sim.Scenario, out *sim.Outcome, err error) error {
	if err != nil && !isResult(err) {
		return err
	}
	var broken *sim.Violation
	c.hung = errors.As(err, &broken) && broken.Invariant == sim.Hung
	c.Runs++
	if err == nil {
		c.Passed++
	} else if c.First == "" {
		c.First = err.Error()
	}
	if out != nil {
		c.measure(sc, out)
	}
	return nil
}

// percentile returns the value below which p percent lie.
func percentile(waits []time.Duration, p int) time.Duration {
	if len(waits) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(waits))
	return sorted[(len(sorted)-1)*p/100]
}

// total sums the cells of each policy.
func (b *Board) total() {
	b.Totals = make([]Total, len(b.Policies))
	for p, name := range b.Policies {
		t := &b.Totals[p]
		t.Policy, t.Of = name, len(b.Scenarios)
		var waits []time.Duration
		for s := range b.Scenarios {
			c := b.Cell(s, p)
			t.add(c)
			if len(c.waits) > 0 {
				waits = append(waits, c.P99)
			}
		}
		t.P99 = percentile(waits, 50) // one whose threads must wait long would hide the others
	}
}

func (t *Total) add(c *Cell) {
	if c.Passed == c.Runs {
		t.Passed++
	}
	t.Decisions += c.Decisions
	t.Kicks += c.Kicks
	t.Lines += c.Lines
	t.Unserved += c.Unserved
	t.SplitPairs += c.SplitPairs
	t.Stacked += c.Stacked
	t.Judged += c.Judged
	t.Unlike += c.Unlike
	t.GapSum += c.GapSum
	t.Gaps += c.Gaps
}
