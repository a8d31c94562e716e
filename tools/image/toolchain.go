package image

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Toolchain is a Go installation that has what TamaGo's packages expect.
type Toolchain struct {
	Root     string // its GOROOT
	Version  string // as in go1.26.8
	BuildDir string // the module's folder for everything that is made
}

// Command prepares a go command that runs in dir for the host: tests, vet.
func (t Toolchain) Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(t.Root, "bin", "go"), args...)
	cmd.Dir, cmd.Env = dir, t.Env()
	return cmd
}

// ImageCommand prepares a go command that runs in dir for the image's target.
func (t Toolchain) ImageCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := t.Command(ctx, dir, args...)
	cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64", "GOAMD64=v1", "GOEXPERIMENT=")
	return cmd
}

// Env returns the caller's environment with this toolchain selected, so that
// go, and tools that run go themselves, use it.
func (t Toolchain) Env() []string {
	bin := filepath.Join(t.Root, "bin")
	return append(os.Environ(), "GOROOT="+t.Root, "GOTOOLCHAIN=local",
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// installation is what the Go on the caller's PATH says about itself.
type installation struct {
	root, version string
	moduleDir     string // folder of the go.mod that governs the caller's folder
}

// installed asks the Go on the PATH, not a shadow that the environment names.
func installed(ctx context.Context, dir string) (installation, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT", "GOVERSION", "GOMOD")
	cmd.Dir, cmd.Env = dir, without(os.Environ(), "GOROOT")
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return installation{}, errors.New("no go command on the PATH: install Go 1.26 or later from https://go.dev/dl")
	case errors.As(err, &exit):
		return installation{}, fmt.Errorf("go env failed: %s", strings.TrimSpace(string(exit.Stderr)))
	case err != nil:
		return installation{}, fmt.Errorf("go env failed: %w", err)
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) < 3 {
		return installation{}, fmt.Errorf("go env answered %q, three lines were expected", out)
	}
	in := installation{root: lines[0], version: lines[1], moduleDir: filepath.Dir(lines[2])}
	if lines[2] == "" || lines[2] == os.DevNull {
		return installation{}, fmt.Errorf("no go.mod at or above %s: run this inside the module", absolute(dir))
	}
	return in.original()
}

// original sees through a shadow whose own go command is first on the PATH.
func (in installation) original() (installation, error) {
	s, err := readStamp(in.root)
	if err == nil {
		in.root = s.from
	}
	return in, nil
}

// without returns env less every setting of one variable.
func without(env []string, name string) []string {
	var kept []string
	for _, e := range env {
		if !strings.HasPrefix(e, name+"=") {
			kept = append(kept, e)
		}
	}
	return kept
}

// absolute is for messages: the folder as the user would name it in full.
func absolute(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	return abs
}
