package controls

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// GoCommand prepares a go command that runs in dir; the caller chooses the
// toolchain.
type GoCommand func(ctx context.Context, dir string, args ...string) *exec.Cmd

// Verdict is what one run of go test showed.
type Verdict int

// The verdicts, from what is wanted of an unmutated tree on.
const (
	Green       Verdict = iota // tests ran, none failed
	Red                        // a test that was asked for failed
	NoTest                     // nothing ran, or all of it was skipped
	NotBuilt                   // the package or its test does not compile
	TimedOut                   // the test hung until the timeout killed it
	FailedApart                // the run failed, but no test did: an exit, TestMain
)

// String says the verdict in words.
func (v Verdict) String() string {
	return [...]string{"green", "red", "no test ran", "does not compile", "timed out", "failed outside the test"}[v]
}

// testTimeout bounds one test binary; a control's flags may set another one.
const testTimeout = 2 * time.Minute

// commandTimeout bounds a whole go test, compilation included.
const commandTimeout = 15 * time.Minute

// OverlayVariable names the overlay to tests that build images themselves.
const OverlayVariable = "HEARTH_OVERLAY"

// goTest runs the tests that c names, through an overlay if there is one.
func (c *Control) goTest(ctx context.Context, command GoCommand, root, overlay string) (outcome, error) {
	// Without symbols and DWARF a test binary links in half the time; the stacks of a
	// panic keep their names.
	args := []string{"test", "-json", "-count=1", "-vet=off", "-ldflags=-s -w", "-timeout=" + testTimeout.String(), "-run=" + c.Test}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	args = append(append(args, c.Flags...), c.Package)
	var env []string
	if overlay != "" {
		env = []string{OverlayVariable + "=" + overlay}
	}
	return runTest(ctx, command, root, env, args...)
}

// runTest runs a go command that prints the events of a test, with more in its
// environment.
func runTest(ctx context.Context, command GoCommand, dir string, env []string, args ...string) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	cmd := command(ctx, dir, args...)
	cmd.WaitDelay = time.Second // a test's own children may keep the pipe open
	cmd.Env = append(cmd.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() == context.DeadlineExceeded:
		return outcome{verdict: TimedOut, detail: "go test took over " + commandTimeout.String()}, nil
	case ctx.Err() != nil:
		return outcome{}, ctx.Err()
	case err != nil && !errors.As(err, &exit):
		return outcome{}, err
	}
	o := judge(stdout.Bytes(), err == nil)
	if o.verdict == FailedApart && o.detail == "" {
		o.detail = firstLine(stderr.String())
	}
	return o, nil
}

// outcome is a verdict with the line that explains it.
type outcome struct {
	verdict Verdict
	detail  string
	passed  []string // tests that ran and did not fail
}

// event is one line of go test -json.
type event struct {
	Action, Test, Output, FailedBuild string
}

// judge reads the events of one run. A run that does not compile, or that was
// killed, proves nothing about a test, whatever else it says.
func judge(events []byte, passed bool) outcome {
	var failed, killed, panicked, said string
	var green []string
	running := map[string]bool{}
	built := true
	for e := range decode(events) {
		switch {
		case e.Action == "build-fail" || e.FailedBuild != "":
			built = false
		case e.Action == "run":
			running[e.Test] = true
		case e.Action == "pass" && e.Test != "":
			green = append(green, e.Test)
		case e.Action == "fail" && len(e.Test) > len(failed): // a subtest rather than its parent
			failed = e.Test
		case strings.HasPrefix(e.Output, "panic: test timed out after"):
			killed = strings.TrimSpace(e.Output)
		case strings.HasPrefix(e.Output, "panic:") || strings.HasPrefix(e.Output, "fatal error:"):
			panicked = strings.TrimSpace(e.Output)
		case e.Action == "output" && e.Test == "" && said == "":
			said = strings.TrimSpace(e.Output)
		}
		if e.Action == "pass" || e.Action == "fail" || e.Action == "skip" {
			delete(running, e.Test)
		}
	}
	switch {
	case !built:
		return outcome{verdict: NotBuilt, detail: compileError(events)}
	case killed != "":
		return outcome{verdict: TimedOut, detail: killed}
	case failed != "":
		return outcome{verdict: Red, detail: strings.TrimSpace(failed + " " + panicked)}
	case !passed && len(running) > 0:
		return outcome{verdict: Red, detail: slices.Min(slices.Collect(maps.Keys(running))) + " ended the process"}
	case !passed:
		return outcome{verdict: FailedApart, detail: cmp.Or(panicked, said)}
	case len(green) == 0:
		return outcome{verdict: NoTest}
	}
	return outcome{Green, green[len(green)-1], green}
}

// decode yields the events; not every line that a toolchain prints is one.
func decode(events []byte) iter.Seq[event] {
	return func(yield func(event) bool) {
		for line := range bytes.Lines(events) {
			var e event
			if json.Unmarshal(line, &e) == nil && !yield(e) {
				return
			}
		}
	}
}

// compileError finds the first message of the compiler.
func compileError(events []byte) string {
	for e := range decode(events) {
		if e.Action == "build-output" && !strings.HasPrefix(e.Output, "#") {
			return strings.TrimSpace(e.Output)
		}
	}
	return ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
