package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"hearth/qemu"
	"hearth/tools/symbolise"
)

// symboliseLog explains a log that comes on standard input.
func symboliseLog(_ context.Context, args []string, stdout, _ io.Writer) error {
	words, behind, err := parse(newFlags("symbolise"), args)
	if err == nil {
		err = atMost(1, append(words, behind...))
	}
	if err == nil && len(words) == 0 {
		err = errors.New("name the image that wrote the log: `hearth symbolise build/hearth.elf < log`")
	}
	if err != nil {
		return err
	}
	table, err := symbolise.Open(words[0])
	if err != nil {
		return err
	}
	return table.Rewrite(stdout, os.Stdin)
}

// explainEnd writes the crash record of a run, who waits on what in a deadlock, or
// where the CPUs were when it hung, with addresses explained.
func explainEnd(w io.Writer, image string, r qemu.Result) {
	what, lines := "the crash record", r.Crash
	switch {
	case r.Outcome == qemu.Deadlock:
		what, lines = "who waits on what", r.Deadlock
	case r.Outcome == qemu.Hang:
		what = "where the CPUs hang"
	}
	if len(lines) == 0 {
		for _, cpu := range r.CPUs {
			lines = append(lines, cpu.String())
		}
	}
	if len(lines) == 0 {
		return
	}
	table, err := symbolise.Open(image)
	if err != nil {
		fmt.Fprintf(w, "hearth run: %s cannot be explained: %v\n", what, err)
		return
	}
	fmt.Fprintf(w, "hearth run: %s, explained:\n", what)
	if err := table.Rewrite(w, strings.NewReader(strings.Join(lines, "\n"))); err != nil {
		fmt.Fprintf(w, "hearth run: %s breaks off: %v\n", what, err)
	}
}
