package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hearth/sched/sim"
	_ "hearth/sched/sim/policies" // registers every policy
	"hearth/sched/sim/scenarios"
)

// simCommand is one word after hearth sim.
type simCommand struct {
	name, usage, help string
	run               func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

// simCommands are filled in init because they explain themselves.
var simCommands []simCommand

func init() {
	simCommands = []simCommand{
		{"run", "FILE|NAME [flags]", "take a scenario through many interleavings", simRun},
		{"replay", "TRACE", "run a saved trace again", simReplay},
		{"shrink", "FILE|NAME -seed N", "print the smallest scenario that breaks the same", simShrink},
		{"explain", "FILE|NAME [THREADS] -seed N", "say where threads were placed and why", simExplain},
		{"list", "", "scenarios, topologies, policies, metrics, invariants", simList},
		{"score", "[FILE|NAME ...] [flags]", "all scenarios under all policies", simScore},
	}
}

// simulate runs one of the commands on the simulator.
func simulate(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" || args[0] == "help" {
		return helpError{simHelp()}
	}
	for _, c := range simCommands {
		if c.name == args[0] {
			return c.run(ctx, args[1:], stdout, stderr)
		}
	}
	return fmt.Errorf("unknown command %q; `hearth sim help` lists them", args[0])
}

func simHelp() string {
	var b strings.Builder
	b.WriteString("hearth sim runs the scheduler, or a model of another one, on a simulated machine.\n\n")
	for _, c := range simCommands {
		fmt.Fprintf(&b, "  %-45s %s\n", "hearth sim "+c.name+" "+c.usage, c.help)
	}
	b.WriteString("\n`hearth sim COMMAND -h` lists a command's flags; docs/sim.md has the language of scenarios.\n")
	return b.String()
}

// scenario finds the one that a word names: a file, or one of the collection.
func scenario(word string) (*sim.Scenario, error) {
	if strings.HasSuffix(word, ".txt") || strings.ContainsRune(word, os.PathSeparator) {
		if info, err := os.Stat(word); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a directory: name a scenario's file in it, such as %s", word, filepath.Join(word, "my.txt"))
		}
		data, err := os.ReadFile(word)
		if err != nil {
			return nil, err
		}
		sc, err := sim.Parse(word, data)
		if err != nil {
			return nil, err
		}
		return sc, knownFails(word, sc)
	}
	sc, err := scenarios.Named(word)
	if err != nil {
		return nil, fmt.Errorf("%w; a file's name ends in .txt", err)
	}
	return sc, nil
}

// knownFails refuses a fails line that names no policy: it would claim nothing.
func knownFails(file string, sc *sim.Scenario) error {
	for _, f := range sc.Fails {
		if err := knownPolicy(f.Policy); err != nil {
			return fmt.Errorf("%s:%d: fails: %w", file, f.Line, err)
		}
	}
	return nil
}

// oneScenario is the scenario that must be the only word, or the first of at most n.
func oneScenario(words []string, n int, command string) (*sim.Scenario, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("name a scenario or its file: `hearth sim %s P05-woken`; `hearth sim list` shows them", command)
	}
	if err := atMost(n, words); err != nil {
		return nil, err
	}
	return scenario(words[0])
}

// knownPolicy refuses a policy that there is not, before anything runs.
func knownPolicy(name string) error {
	if engines := sim.Engines(); !slices.Contains(engines, name) {
		return fmt.Errorf("unknown policy %q: there are %s", name, strings.Join(engines, ", "))
	}
	return nil
}

// judged turns the error of a run into an exit status: what broke is a finding,
// anything else was wrong with the input.
func judged(err error) error {
	var broken *sim.Violation
	var missed *sim.Missed
	if errors.As(err, &broken) || errors.As(err, &missed) {
		return exitError{statusFailed, err}
	}
	return err
}
