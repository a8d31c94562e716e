package check

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	"hearth/tools/check/controls"
	"hearth/tools/image"
)

// runControls proves the controls that -run selects, and prints one line for
// each as soon as it is judged: where it mutates, what it turned red, how long
// that took.
func runControls(req *request) (result, error) {
	list, err := controls.Load(req.root)
	if err != nil {
		return result{}, fmt.Errorf("%w: %w", errInput, err)
	}
	if len(list) == 0 {
		return result{}, fmt.Errorf("%w: no %s in this tree", errInput, controls.ListName)
	}
	var chosen []controls.Control
	for _, c := range list {
		if req.run.MatchString(c.Name) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return result{}, fmt.Errorf("%w: no control of %d has a name that matches %q", errInput, len(list), req.run)
	}
	if req.list {
		return req.listControls(chosen), nil
	}
	// An interrupt ends the tests that run and takes the mutated files away.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	toolchain, err := image.Shadow(ctx, req.root)
	if err != nil {
		return result{}, err
	}
	results, err := controls.Run(ctx, req.root, chosen, toolchain.Command, req.tellControl(len(chosen)))
	if err != nil {
		return result{}, err
	}
	return reportControls(results), nil
}

func (req *request) listControls(list []controls.Control) result {
	w := tabwriter.NewWriter(req.stdout, 0, 0, 2, ' ', 0)
	for _, c := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.Name, c.File, c.Package, c.Test, c.Why)
	}
	w.Flush()
	return result{summary: fmt.Sprintf("%d controls, none run", len(list))}
}

// tellControl prints the line of each result that it is given, of so many.
func (req *request) tellControl(all int) func(controls.Result) {
	told := 0
	return func(r controls.Result) {
		told++
		shown := "turns red: " + r.Detail
		if r.Failure != "" {
			shown = "NOT RED"
		}
		fmt.Fprintf(req.stdout, "%*d/%d %5.1fs  %s: %s; %s\n", len(fmt.Sprint(all)), told, all,
			r.Took.Round(100*time.Millisecond).Seconds(), place(r), r.Control.Name, shown)
	}
}

// reportControls makes the findings: the controls that proved nothing.
func reportControls(results []controls.Result) (res result) {
	joint := 0
	for _, r := range results {
		if r.Joint {
			joint++
		}
		if r.Failure != "" {
			res.findings = append(res.findings, finding{fmt.Sprintf("%s: control %q", place(r), r.Control.Name), r.Failure})
		}
	}
	res.summary = fmt.Sprintf("%d controls, %d of them in test binaries that they share", len(results), joint)
	return res
}

// place is where a control mutates.
func place(r controls.Result) string { return fmt.Sprintf("%s:%d", r.Control.File, r.Line) }
