// Command hearth is the one command-line tool of the project: it builds images,
// boots them in QEMU, checks the source and reads what guests leave.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"hearth/tools/check"
	"hearth/tools/trace"
)

// Exit statuses. A guest program's own code, where it is not 0, passes through.
const (
	statusFailed = 1 // the guest crashed, hung or was reset; a check found something
	statusUsage  = 2 // the input was wrong
)

// command is one word after hearth.
type command struct {
	name, usage, help string
	run               func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

var commands = []command{
	{"build", "[-o FILE] [PKG]", "make a bootable image of a main package", build},
	{"run", "[flags] [IMAGE|PKG] [-- args]", "boot an image in QEMU and judge how it ends", run},
	{"symbolise", "IMAGE < LOG", "add function, file and line to the addresses of a log", symboliseLog},
	{"check", "[controls]", "hold the source and the image against Hearth's rules", wrap(check.Main)},
	{"sim", "COMMAND [flags]", "run, score and explain scenarios on the simulator", simulate},
	{"trace", "FILE", "read the trace that `hearth run -trace FILE` left", wrap(trace.Main)},
	{"go", "ARGS", "run the go command with what TamaGo expects of it", runGo},
	{"doctor", "", "look for what is missing on this machine", doctor},
}

// wrap makes a command of a library's main function, which says itself what is
// wrong and returns an exit status.
func wrap(main func(args []string, stdout, stderr io.Writer) int) func(context.Context, []string, io.Writer, io.Writer) error {
	return func(_ context.Context, args []string, stdout, stderr io.Writer) error {
		if status := main(args, stdout, stderr); status != 0 {
			return exitError{status, nil}
		}
		return nil
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, exitAtNextSignal)
	os.Exit(dispatch(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// exitAtNextSignal ends the process at the second signal: what a command runs, such as
// a policy that never answers, may not look at its context. The default action would
// not do: of a job in the background a shell has SIGINT ignored.
func exitAtNextSignal() {
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	<-again
	os.Exit(128 + int(syscall.SIGINT))
}

// dispatch runs one command and returns the exit status.
func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		help(stdout)
		return 0
	}
	for _, c := range commands {
		if c.name == args[0] {
			return report(c, c.run(ctx, args[1:], stdout, stderr), stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "hearth: unknown command %q; `hearth help` lists them\n", args[0])
	return statusUsage
}

func help(w io.Writer) {
	fmt.Fprintln(w, "hearth builds, boots and checks the Hearth kernel.")
	fmt.Fprintln(w)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-45s %s\n", "hearth "+c.name+" "+c.usage, c.help)
	}
	fmt.Fprintln(w, "\n`hearth COMMAND -h` lists a command's flags.")
}

// exitError is an error with an exit status of its own.
type exitError struct {
	status int
	err    error // nil: everything has been said
}

func (e exitError) Error() string { return fmt.Sprint(e.err) }
func (e exitError) Unwrap() error { return e.err }

// report says what went wrong in one line and returns the exit status. An error
// without a status of its own is about the input.
func report(c command, err error, stdout, stderr io.Writer) int {
	var exit exitError
	var asked helpError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &asked):
		fmt.Fprint(stdout, asked.text)
		return 0
	case errors.As(err, &exit):
	case errors.Is(err, context.Canceled):
		exit = exitError{statusFailed, errors.New("interrupted")}
	default:
		exit = exitError{statusUsage, err}
	}
	if exit.err != nil {
		fmt.Fprintf(stderr, "hearth %s: %v\n", c.name, exit.err)
	}
	return exit.status
}
