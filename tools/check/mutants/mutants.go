// Package mutants asks whether the tests would notice: it makes small changes to
// a package by rule, each a mutant, and runs the tests on every one. A mutant that
// no test fails on has survived; it is a missing test, or it changes nothing that
// can be seen and stands with its reason in a list.
//
// All mutants of a package are compiled into one test binary, each behind a
// comparison with a number that the environment sets. The source is not touched:
// the changed files go through a build overlay.
package mutants

import (
	"context"
	"io"
	"os/exec"
	"regexp"
	"time"
)

// Mutant is one change.
type Mutant struct {
	File     string // relative to the module's root
	Line     int
	Func     string // the function it is in, or the constant that it changes
	Operator string // the rule that made it: a name of Operators
	Old, New string // what stands there, what takes its place; blanks are joined

	id      int  // what the environment says to turn it on, from 1
	skipped bool // it does not compile
}

// Verdict is what the tests said of a mutant.
type Verdict int

// The verdicts.
const (
	Survived Verdict = iota // every test passed
	Killed                  // a test failed
	Hung                    // a test did not end in many times its usual time: noticed, too
)

// Result is a mutant judged.
type Result struct {
	Mutant
	Verdict Verdict
	By      string // the test that failed or hung
	Why     string // from the list, why nothing can notice it; "" if it is not listed
}

// Config says what to change and who should notice.
type Config struct {
	Root     string            // of the module
	Package  string            // its files are changed: ./sched
	Tests    []string          // packages whose tests must notice, the quickest first
	Files    func(string) bool // only files of which it says so, by their path in Root; nil: all
	Run      *regexp.Regexp    // only mutants whose String matches
	Sample   int               // only so many of them, drawn by Seed; 0: all
	Seed     uint64            // of the sample
	Again    string            // only mutants that survived in the run whose output this file has; "": all
	Quick    time.Duration     // without the tests that take longer, so that more survive; 0: all
	List     string            // file of mutants that may survive, relative to Root; it may be missing
	Command  GoCommand         // the go command
	Progress io.Writer         // told how far a long run is; may be nil
}

// GoCommand prepares a go command that runs in dir.
type GoCommand func(ctx context.Context, dir string, args ...string) *exec.Cmd

// Report is the end of a run.
type Report struct {
	Results []Result // by file and line
	Skipped int      // mutants that would not compile
	Took    time.Duration
}

// Run judges the mutants that c selects. An error means that the question was bad:
// the package does not compile, its tests fail as they are, the list is wrong.
func Run(ctx context.Context, c Config) (*Report, error) {
	start := time.Now()
	s, err := c.prepare(ctx)
	if err != nil {
		return nil, err
	}
	bins, err := c.build(ctx, s)
	if err != nil {
		return nil, err
	}
	defer bins.remove()
	results, err := bins.judgeAll(ctx, s.chosen, c.Progress)
	if err != nil {
		return nil, err
	}
	s.listed.explain(results)
	return &Report{results, s.skipped, time.Since(start)}, nil
}

// Mutants returns what Run would judge, without running anything.
func (c Config) Mutants(ctx context.Context) ([]Mutant, error) {
	s, err := c.prepare(ctx)
	if err != nil {
		return nil, err
	}
	return s.chosen, nil
}

// String is the mutant in one line.
func (m *Mutant) String() string {
	text := m.Old + " → " + m.New
	if m.New == "" {
		text = m.Old + " left out"
	}
	return m.File + " " + m.Func + ": " + text
}

// selection is a package with the mutants that a Config selects.
type selection struct {
	*source
	chosen  []Mutant
	skipped int
	listed  survivors
}

// prepare finds all mutants of the package, holds the list against them and
// selects.
func (c *Config) prepare(ctx context.Context) (*selection, error) {
	src, err := load(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := src.mutate(); err != nil {
		return nil, err
	}
	s := &selection{source: src}
	var all []Mutant
	for _, m := range src.mutants {
		if m.skipped {
			s.skipped++
			continue
		}
		all = append(all, *m)
	}
	if s.listed, err = readList(c, all); err != nil {
		return nil, err
	}
	s.chosen, err = c.choose(all)
	return s, err
}
