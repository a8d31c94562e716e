package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"hearth/sched/sim"
	"hearth/sched/sim/scenarios"
	"hearth/tools/score"
)

// simScore runs scenarios under policies and shows the board.
func simScore(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := newFlags("sim score")
	seeds := fs.Int("seeds", 10, "runs of each scenario under each policy")
	policies := fs.String("policies", "", "compare these `NAMES`, separated by commas (default all)")
	svg := fs.String("svg", "", "draw the board into `FILE`")
	data := fs.String("json", "", "write everything into `FILE`")
	words, behind, err := parse(fs, args)
	c := score.Config{Seeds: *seeds, Progress: stderr}
	if err == nil && *seeds < 1 {
		err = fmt.Errorf("-seeds %d: want at least 1", *seeds)
	}
	if err == nil {
		c.Scenarios, err = scenariosToScore(append(words, behind...))
	}
	if err == nil {
		c.Policies, err = policiesToScore(*policies)
	}
	if err != nil {
		return err
	}
	b, err := score.Run(ctx, c)
	if err != nil {
		return err
	}
	b.Text(stdout)
	fmt.Fprintf(stdout, "%d scenarios, %d policies, %d runs each: %v\n", len(b.Scenarios), len(b.Policies), b.Seeds, b.Took.Round(10*time.Millisecond))
	if err := writeFile(*svg, b.SVG); err != nil {
		return err
	}
	if err := writeFile(*data, b.JSON); err != nil {
		return err
	}
	return judgeBoard(b, stdout)
}

// judgeBoard fails if Hearth's scheduler does, or is not what its rule says; what
// others fail is the board's point.
func judgeBoard(b *score.Board, stdout io.Writer) error {
	i := slices.Index(b.Policies, sim.Hearth)
	switch {
	case i < 0:
		return nil
	case b.Totals[i].Passed == len(b.Scenarios) && b.Totals[i].Unlike > 0:
		return exitError{statusFailed, fmt.Errorf("%s passes every scenario, but is not what sched/sim/oracle.go says", sim.Hearth)}
	case b.Totals[i].Passed == len(b.Scenarios):
		return nil
	}
	fmt.Fprint(stdout, b.Failures(i))
	return exitError{statusFailed, fmt.Errorf("%s fails %d of %d scenarios", sim.Hearth, len(b.Scenarios)-b.Totals[i].Passed, len(b.Scenarios))}
}

// scenariosToScore are those that the words name, the whole collection without any.
func scenariosToScore(words []string) ([]*sim.Scenario, error) {
	if len(words) == 0 {
		return scenarios.All()
	}
	var list []*sim.Scenario
	for _, word := range words {
		sc, err := scenario(word)
		if err != nil {
			return nil, err
		}
		list = append(list, sc)
	}
	return list, nil
}

// policiesToScore are those of a list, all without one, Hearth's first.
func policiesToScore(list string) ([]string, error) {
	if list == "" {
		others := slices.DeleteFunc(sim.Engines(), func(name string) bool { return name == sim.Hearth })
		return append([]string{sim.Hearth}, others...), nil
	}
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); slices.Contains(names, name) {
			continue
		}
		if err := knownPolicy(name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// writeFile writes what write makes into the file of that name, if there is one.
func writeFile(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
