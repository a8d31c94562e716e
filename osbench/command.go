package osbench

import (
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// command is what the arguments ask for.
type command struct {
	list   bool
	count  int     // how often each row is measured and printed
	scale  float64 // factor on every row's rounds
	record string  // file for the records, "-" for standard output, "" for none
	rows   []*row
}

var suites = []string{"smoke", "core", "full"}

// parse returns an error of one line that names the argument and the way out.
func parse(args []string) (*command, error) {
	c := new(command)
	var suite, pattern string
	flags := flag.NewFlagSet("osbench", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&c.list, "list", false, "")
	flags.StringVar(&pattern, "run", "", "")
	flags.StringVar(&suite, "suite", "smoke", "")
	flags.IntVar(&c.count, "count", 1, "")
	flags.Float64Var(&c.scale, "scale", 1, "")
	flags.StringVar(&c.record, "record", "", "")
	if err := flags.Parse(args); err != nil {
		return nil, fmt.Errorf("%w; known: -list, -run REGEXP, -suite NAME, -count N, -scale F, -record FILE", flagError(err))
	}
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("argument %q is no flag; rows are chosen by -run REGEXP", flags.Arg(0))
	case c.count < 1:
		return nil, fmt.Errorf("-count %d: must be at least 1", c.count)
	case !(c.scale > 0 && c.scale <= 1000):
		return nil, fmt.Errorf("-scale %v: must be above 0 and at most 1000", c.scale)
	}
	var err error
	c.rows, err = choose(suite, pattern)
	return c, err
}

func flagError(err error) error {
	if err == flag.ErrHelp {
		return fmt.Errorf("no help text beyond this line")
	}
	return err
}

func choose(suite, pattern string) ([]*row, error) {
	level := -1
	for i, name := range suites {
		if name == suite {
			level = i
		}
	}
	if level < 0 {
		return nil, fmt.Errorf("-suite %q: known are %s", suite, strings.Join(suites, ", "))
	}
	match, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("-run %q: %w", pattern, err)
	}
	var chosen []*row
	for _, r := range allRows() {
		if int(r.suite) <= level && match.MatchString(r.name) {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-run %q: no row of suite %s matches; -list shows them", pattern, suite)
	}
	return chosen, nil
}
