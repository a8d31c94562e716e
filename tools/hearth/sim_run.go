package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"hearth/sched/sim"
	"hearth/tools/score"
)

// simRun takes a scenario through many interleavings and stops at the first that
// breaks something.
func simRun(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := newFlags("sim run")
	var r simRunner
	r.flags(fs)
	words, behind, err := parse(fs, args)
	if err == nil {
		words = append(words, behind...)
		r.sc, err = oneScenario(words, 1, "run")
	}
	if err == nil {
		err = r.settle(fs)
	}
	if err != nil {
		return err
	}
	r.word, r.reach, r.stderr = words[0], map[string]int{}, stderr
	start := time.Now()
	if err := r.all(ctx); err != nil {
		return r.explain(err)
	}
	if missing := r.sc.Unreached(r.reach); missing != "" {
		return exitError{statusFailed, fmt.Errorf("no run of %s put %s to the test, which it expects", score.Name(r.sc), missing)}
	}
	fmt.Fprintf(stdout, "%s: %s\n%d runs under %s: pass (%v)\n", score.Name(r.sc), r.sc.Title, r.runs, r.policy, time.Since(start).Round(time.Millisecond))
	if r.verbose {
		r.printReach(stdout)
	}
	return nil
}

// simRunner is one hearth sim run.
type simRunner struct {
	sc      *sim.Scenario
	word    string // what named it: a scenario's name or a file
	seeds   int
	seed    uint64
	policy  string
	mode    string
	verbose bool
	trace   string // the file for the trace, empty for none

	runs   int
	reach  map[string]int
	stderr io.Writer
}

func (r *simRunner) flags(fs *flag.FlagSet) {
	fs.IntVar(&r.seeds, "seeds", 0, "how many seeds, from 0 on (default what the scenario says, 1000)")
	fs.Uint64Var(&r.seed, "seed", 0, "run this `SEED` alone")
	fs.StringVar(&r.policy, "policy", sim.Hearth, "run under `POLICY`; hearth sim list shows them")
	fs.StringVar(&r.mode, "mode", "", "who chooses the next step: seeded, pct or exhaustive (default what the scenario says)")
	fs.StringVar(&r.trace, "trace", "", "write every choice of the run of -seed to `FILE`")
	fs.BoolVar(&r.verbose, "v", false, "say how often each invariant was put to the test")
}

// exhaustive is the mode that runs no seeds.
const exhaustive = "exhaustive"

// exhaustiveRuns bounds the runs of an exhaustive search.
const exhaustiveRuns = 10_000_000

// settle checks what the flags say together and fills in the defaults.
func (r *simRunner) settle(fs *flag.FlagSet) error {
	if r.mode == "" {
		r.mode = string(sim.ModeSeeded)
		if r.sc.Exhaustive > 0 {
			r.mode = exhaustive
		}
	}
	if modes := []string{string(sim.ModeSeeded), string(sim.ModePCT), exhaustive}; !slices.Contains(modes, r.mode) {
		return fmt.Errorf("unknown mode %q: want %s", r.mode, strings.Join(modes, ", "))
	}
	if r.mode == exhaustive && r.sc.Exhaustive == 0 {
		return fmt.Errorf("scenario %s has no bound for an exhaustive search: add a line such as exhaustive 4", score.Name(r.sc))
	}
	if r.mode == exhaustive && (given(fs, "seed") || given(fs, "seeds")) {
		return errors.New("an exhaustive search takes no seeds: use -mode seeded with them")
	}
	if given(fs, "seed") && given(fs, "seeds") {
		return errors.New("-seed runs one seed, -seeds many: give one of them")
	}
	if r.trace != "" && !given(fs, "seed") {
		return errors.New("-trace writes one run down: give its -seed")
	}
	if r.seeds < 0 || given(fs, "seeds") && r.seeds == 0 {
		return fmt.Errorf("-seeds %d: want at least 1", r.seeds)
	}
	if r.seeds == 0 {
		r.seeds = max(r.sc.Seeds, 0)
	}
	if r.seeds == 0 {
		r.seeds = 1000
	}
	if given(fs, "seed") {
		r.seeds = 1
	}
	return knownPolicy(r.policy)
}

// all makes every run.
func (r *simRunner) all(ctx context.Context) error {
	if r.mode == exhaustive {
		done, out, err := r.sc.Exhaust(sim.Options{Engine: r.policy}, exhaustiveRuns)
		r.runs = done.Runs
		r.note(out)
		return err
	}
	start, told := time.Now(), time.Now()
	for i := range r.seeds {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.one(r.seed + uint64(i)); err != nil {
			return err
		}
		if time.Since(told) > 5*time.Second {
			told = time.Now()
			left := time.Since(start) / time.Duration(i+1) * time.Duration(r.seeds-i-1)
			fmt.Fprintf(r.stderr, "hearth sim: %d of %d seeds, %v left\n", i+1, r.seeds, left.Round(time.Second))
		}
	}
	return nil
}

// one runs a seed.
func (r *simRunner) one(seed uint64) error {
	o := sim.Options{Seed: seed, Engine: r.policy, Mode: sim.Mode(r.mode)}
	run := r.sc.Run
	if r.trace != "" {
		run = func(o sim.Options) (*sim.Outcome, error) { return record(r.sc, o, r.trace) }
	}
	out, err := run(o)
	r.runs++
	r.note(out)
	return err
}

func (r *simRunner) note(out *sim.Outcome) {
	if out == nil {
		return
	}
	for name, n := range out.Reach {
		r.reach[name] += n
	}
}

// explain adds to a finding how to look into it.
func (r *simRunner) explain(err error) error {
	err = judged(err)
	var exit exitError
	if !errors.As(err, &exit) {
		return fmt.Errorf("%s: %w", score.Name(r.sc), err)
	}
	seed, ok := seedOf(exit.err)
	if !ok || r.mode == exhaustive {
		return exit
	}
	repeat := "hearth sim run " + r.word
	if r.policy != sim.Hearth {
		repeat += " -policy " + r.policy
	}
	if r.mode != string(sim.ModeSeeded) {
		repeat += " -mode " + r.mode
	}
	exit.err = fmt.Errorf("%s: %w\nrepeat it: %s -seed %d", score.Name(r.sc), exit.err, repeat, seed)
	return exit
}

// seedOf is the seed of the run that broke something.
func seedOf(err error) (uint64, bool) {
	var broken *sim.Violation
	var missed *sim.Missed
	switch {
	case errors.As(err, &broken):
		return broken.Seed, true
	case errors.As(err, &missed):
		return missed.Seed, true
	}
	return 0, false
}

func (r *simRunner) printReach(w io.Writer) {
	for _, name := range sim.Invariants() {
		fmt.Fprintf(w, "  %-16s %d\n", name, r.reach[name])
	}
}
