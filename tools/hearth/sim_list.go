package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"hearth/sched/sim"
	"hearth/sched/sim/scenarios"
	"hearth/tools/score"
)

// simList shows what the other commands can be given.
func simList(_ context.Context, args []string, stdout, _ io.Writer) error {
	words, behind, err := parse(newFlags("sim list"), args)
	if err == nil {
		err = atMost(0, append(words, behind...))
	}
	if err != nil {
		return err
	}
	all, err := scenarios.All()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "scenarios")
	for _, sc := range all {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", score.Name(sc), sc.Shape, sc.Title)
	}
	for _, c := range scenarios.Topologies() {
		fmt.Fprintf(w, "  %s\ttopology, in package cpu\t%s\n", c.Name, c.Title)
	}
	fmt.Fprintln(w, "\ntopologies, on which random scenarios run")
	for _, t := range sim.Topologies() {
		fmt.Fprintf(w, "  %s\t%s\n", t.Name, t.Text)
	}
	fmt.Fprintln(w, "\npolicies")
	for _, p := range append(sim.Own(), sim.Policies()...) {
		fmt.Fprintf(w, "  %s\t%s (%s)\n", p.Name, p.Rule, p.Source)
	}
	fmt.Fprintln(w, "\nmetrics of expect")
	metrics := sim.Metrics()
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		fmt.Fprintf(w, "  %s\t%s\n", name, metrics[name])
	}
	fmt.Fprintln(w, "\ninvariants, which every run checks")
	for _, name := range sim.Invariants() {
		fmt.Fprintf(w, "  %s\n", name)
	}
	return w.Flush()
}
