package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"

	"hearth/tools/image"
)

// runGo runs the go command through the shadow GOROOT: what the packages that
// import TamaGo need for go test, go vet and the like.
func runGo(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	tc, err := image.Shadow(ctx, "")
	if err != nil {
		return err
	}
	cmd := tc.Command(ctx, "", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // go ends its own children
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		return exitError{max(exit.ExitCode(), statusFailed), nil}
	} else if err != nil {
		return err
	}
	return ctx.Err()
}
