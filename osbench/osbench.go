// Package osbench is the benchmark suites, one file a group; the same program
// runs them on Hearth and on Linux.
//
// A row is measured in rounds by a caller that is itself a thread, placed as the
// row says. Each round keeps where both sides really ran, and a row that ran
// elsewhere than its name says fails. Rows are printed in the Go benchmark
// format, records as JSON; judging is done elsewhere.
package osbench

import (
	"fmt"
	"io"
	"os"

	"hearth/sys"
)

// Exit codes of Main.
const (
	exitPass  = 0
	exitFail  = 1
	exitUsage = 2
)

// Main runs the program with the given arguments, without the program's name,
// prints to standard output and returns the exit code: 0 for the verdict pass, 1
// for fail, 2 for arguments that it cannot use.
func Main(args []string) int {
	return execute(args, os.Stdout, os.Stderr)
}

func execute(args []string, out, errors io.Writer) int {
	c, err := parse(args)
	if err != nil {
		fmt.Fprintf(errors, "osbench: %v\n", err)
		return exitUsage
	}
	if c.list {
		for _, r := range c.rows {
			fmt.Fprintln(out, r.name)
		}
		return exitPass
	}
	m, err := readMachine()
	if err != nil {
		fmt.Fprintf(errors, "osbench: %v\n", err)
		return exitFail
	}
	rec, err := c.openRecorder(out)
	if err != nil {
		fmt.Fprintf(errors, "osbench: %v\n", err)
		return exitUsage
	}
	return c.runAll(m, rec, out, errors)
}

// runAll prints the records after the rows: a line between two rows that reads
// as a configuration would split benchstat's table.
func (c *command) runAll(m *machine, rec *recorder, out, errors io.Writer) int {
	defer sys.RaiseProcs(len(m.top.CPUs) + 2)()
	printConfiguration(out, m)
	var results []*result
	v := verdict{}
	for range c.count {
		for _, r := range c.rows {
			res := r.measure(m, c.scale)
			printResult(out, m, res)
			v.add(res)
			results = append(results, res)
		}
	}
	if err := rec.write(m, results); err != nil {
		fmt.Fprintf(errors, "osbench: %v\n", err)
		v.failed = true
	}
	return v.print(out)
}

// verdict is pass if at least one row ran and none failed.
type verdict struct {
	ran    int
	failed bool
}

func (v *verdict) add(res *result) {
	switch {
	case res.err != nil:
		v.failed = true
	case res.skip == "":
		v.ran++
	}
}

func (v *verdict) print(out io.Writer) int {
	if v.ran == 0 && !v.failed {
		fmt.Fprintln(out, "fail no row could run on this machine, which proves nothing")
	}
	if v.failed || v.ran == 0 {
		fmt.Fprintf(out, "hearth: verdict=fail rows=%d\n", v.ran)
		return exitFail
	}
	fmt.Fprintf(out, "hearth: verdict=pass rows=%d\n", v.ran)
	return exitPass
}
