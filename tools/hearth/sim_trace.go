package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"hearth/sched/sim"
	"hearth/tools/score"
)

// simReplay runs a trace again.
func simReplay(_ context.Context, args []string, stdout, _ io.Writer) error {
	words, behind, err := parse(newFlags("sim replay"), args)
	if err == nil {
		words = append(words, behind...)
		err = atMost(1, words)
	}
	if err == nil && len(words) == 0 {
		err = fmt.Errorf("name a trace: `hearth sim replay t.trace`; `hearth sim run … -seed 1 -trace t.trace` writes one")
	}
	if err != nil {
		return err
	}
	data, err := os.ReadFile(words[0])
	if err != nil {
		return err
	}
	out, err := sim.Replay(words[0], data)
	if err != nil {
		return judged(err)
	}
	_, err = fmt.Fprintf(stdout, "%s: %d steps, %v of model time: pass\n", words[0], out.Steps, out.Elapsed)
	return err
}

// oneRun is a scenario and the options of the one run that a command looks at.
type oneRun struct {
	sc   *sim.Scenario
	o    sim.Options
	word string   // what named the scenario
	seed bool     // it was given
	rest []string // words behind the scenario
}

// readOneRun reads a scenario, at most so many words behind it, and the flags.
func readOneRun(command string, args []string, more int) (*oneRun, error) {
	fs := newFlags("sim " + command)
	var r oneRun
	var mode string
	r.flags(fs, &mode)
	words, behind, err := parse(fs, args)
	if err == nil {
		words = append(words, behind...)
		r.sc, err = oneScenario(words, 1+more, command)
	}
	if err == nil {
		err = knownPolicy(r.o.Engine)
	}
	if err != nil {
		return nil, err
	}
	r.o.Mode, r.word, r.rest, r.seed = sim.Mode(mode), words[0], words[1:], given(fs, "seed")
	return &r, nil
}

func (r *oneRun) flags(fs *flag.FlagSet, mode *string) {
	fs.Uint64Var(&r.o.Seed, "seed", 0, "the run of this `SEED`")
	fs.StringVar(&r.o.Engine, "policy", sim.Hearth, "under `POLICY`; hearth sim list shows them")
	fs.StringVar(mode, "mode", string(sim.ModeSeeded), "who chooses the next step: seeded or pct")
}

// simShrink prints the smallest scenario that it finds to break the same.
func simShrink(_ context.Context, args []string, stdout, stderr io.Writer) error {
	r, err := readOneRun("shrink", args, 0)
	if err != nil {
		return err
	}
	if !r.seed {
		return fmt.Errorf("shrink starts from a run that breaks something: give its -seed; `hearth sim run %s` finds one", r.word)
	}
	small, err := r.sc.Shrink(r.o)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "hearth sim: %d runs\n", small.Runs)
	_, err = fmt.Fprintf(stdout, "# with -seed %d it breaks: %v\n%s", small.Seed, small.Error, small.Scenario)
	return err
}

// simExplain says where threads went and why, in which run.
func simExplain(_ context.Context, args []string, stdout, _ io.Writer) error {
	r, err := readOneRun("explain", args, 1)
	if err != nil {
		return err
	}
	pattern := "*"
	if len(r.rest) > 0 {
		pattern = r.rest[0]
	}
	text, err := r.sc.Explain(r.o, pattern)
	if text != "" {
		text = fmt.Sprintf("%s under %s, seed %d\n%s", score.Name(r.sc), r.o.Engine, r.o.Seed, text)
	}
	if _, failed := io.WriteString(stdout, text); failed != nil {
		return failed
	}
	return judged(err)
}

// record runs one seed and writes its trace to a file, whatever comes of the run.
func record(sc *sim.Scenario, o sim.Options, file string) (*sim.Outcome, error) {
	trace, out, err := sc.Record(o)
	if trace == "" {
		return out, err
	}
	if failed := os.WriteFile(file, []byte(trace), 0o644); failed != nil {
		return out, fmt.Errorf("the trace of %s: %w", score.Name(sc), failed)
	}
	return out, err
}
