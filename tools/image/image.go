// Package image makes bootable images: it gives a stock Go installation the few
// additions that TamaGo's packages expect (a shadow GOROOT), links a main
// package through it, and turns the linked ELF into one that boots.
package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// linkFlags link the image at its high address with the kernel's own entry. An
// empty build id keeps the bytes independent of where the build ran.
const linkFlags = "-E hearth_entry64 -T 0x7e0000001000 -buildid="

// Options say what to build. The zero value builds the main package in the
// current folder into the build folder of its module.
type Options struct {
	Dir     string    // folder that Package is relative to; "" is the current one
	Package string    // the main package, as go build takes it; "" is "."
	Output  string    // where the image goes; "" is NAME.elf in the build folder
	Overlay string    // a file for go build -overlay, or ""
	Tags    string    // build tags as go build -tags takes them, or ""
	Stderr  io.Writer // where go build's messages go; nil is os.Stderr
}

// Result names the files that a build made.
type Result struct {
	Image   string // boots
	Symbols string // as the linker left it: what objdump, gdb and symbolise read
}

// ErrGoBuild is the error of a build that go itself refused, after go has
// written its reasons to Options.Stderr.
var ErrGoBuild = errors.New("go build failed")

// Build links one main package and makes a bootable image of it. The same
// sources give the same bytes in any folder.
func Build(ctx context.Context, o Options) (Result, error) {
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	if o.Package == "" {
		o.Package = "."
	}
	tc, err := Shadow(ctx, o.Dir)
	if err != nil {
		return Result{}, err
	}
	r, err := outputs(ctx, tc, o)
	if err != nil {
		return Result{}, err
	}
	if err := link(ctx, tc, o, r.Symbols); err != nil {
		return Result{}, err
	}
	return r, PatchFile(r.Symbols, r.Image)
}

// outputs chooses the two file names, and refuses what is not one main package.
func outputs(ctx context.Context, tc Toolchain, o Options) (Result, error) {
	cmd := tc.ImageCommand(ctx, o.Dir, "list", "-f", "{{.Name}} {{.ImportPath}}", o.Package)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return Result{}, errors.New(strings.ReplaceAll(strings.TrimSpace(string(exit.Stderr)), "\n", "; "))
	}
	if err != nil {
		return Result{}, err
	}
	lines := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
	if len(lines) != 1 {
		return Result{}, fmt.Errorf("%s names %d packages: name one main package", o.Package, len(lines))
	}
	name, importPath, _ := strings.Cut(lines[0], " ")
	if name != "main" {
		return Result{}, fmt.Errorf("%s is package %s, a library: name a main package that imports hearth/kernel", o.Package, name)
	}
	if o.Output == "" {
		o.Output = filepath.Join(tc.BuildDir, path.Base(importPath)+".elf")
	}
	return Result{Image: o.Output, Symbols: strings.TrimSuffix(o.Output, ".elf") + ".sym.elf"}, nil
}

// link runs go build with the flags of an image.
func link(ctx context.Context, tc Toolchain, o Options, out string) error {
	out, err := filepath.Abs(out) // go build runs in o.Dir, the caller may not
	if err != nil {
		return err
	}
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags", linkFlags, "-o", out}
	if o.Overlay != "" {
		args = append(args, "-overlay", o.Overlay)
	}
	if o.Tags != "" {
		args = append(args, "-tags", o.Tags)
	}
	cmd := tc.ImageCommand(ctx, o.Dir, append(args, o.Package)...)
	said, err := cmd.CombinedOutput()
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil && bytes.Contains(said, []byte("missing entry symbol")):
		return fmt.Errorf("%s %w", o.Package, ErrNoImage) // said better than by the linker
	}
	if _, werr := o.Stderr.Write(said); werr != nil {
		return werr
	}
	if err != nil {
		return ErrGoBuild
	}
	return nil
}
