package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"hearth/tools/image"
)

// staticcheck is the linter's package; go.mod pins its version as a tool.
const staticcheck = "honnef.co/go/tools/cmd/staticcheck"

// metalPackages turn addresses into pointers for a living: page tables, device
// registers, program memory. vet cannot know that those addresses are no heap
// of Go's, so its check of such conversions is off for them, and for them alone.
var metalPackages = []string{"hearth/boot", "hearth/kernel", "hearth/smp"}

// runLint runs vet and staticcheck over every package.
func runLint(req *request) (result, error) {
	ctx := context.Background()
	toolchain, err := image.Shadow(ctx, req.root)
	if err != nil {
		return result{}, err
	}
	l := linter{root: req.root, toolchain: toolchain}
	metal, rest, err := l.packages(ctx)
	if err != nil {
		return result{}, err
	}
	tool, err := l.buildStaticcheck(ctx)
	if err != nil {
		return result{}, err
	}
	l.run(toolchain.ImageCommand(ctx, req.root, append([]string{"vet", "-unsafeptr=false"}, metal...)...))
	l.run(toolchain.ImageCommand(ctx, req.root, append([]string{"vet"}, rest...)...))
	cmd := exec.CommandContext(ctx, tool, append(metal, rest...)...)
	cmd.Dir, cmd.Env = req.root, toolchain.ImageCommand(ctx, req.root).Env
	l.run(cmd)
	return result{l.findings, fmt.Sprintf("vet and staticcheck over %d packages", len(metal)+len(rest))}, l.err
}

// linter runs tools and collects what they find.
type linter struct {
	root      string
	toolchain image.Toolchain
	findings  []finding
	err       error
}

// packages lists the module's packages, the metal ones apart.
func (l *linter) packages(ctx context.Context) (metal, rest []string, err error) {
	out, err := l.toolchain.ImageCommand(ctx, l.root, "list", "./...").Output()
	if err != nil {
		return nil, nil, toolError("go list", err)
	}
	for _, pkg := range strings.Fields(string(out)) {
		if isMetal(pkg) {
			metal = append(metal, pkg)
		} else {
			rest = append(rest, pkg)
		}
	}
	return metal, rest, nil
}

func isMetal(pkg string) bool {
	for _, m := range metalPackages {
		if pkg == m || strings.HasPrefix(pkg, m+"/") {
			return true
		}
	}
	return false
}

// buildStaticcheck builds the pinned linter with the Go that is installed: it
// is a program of the host, and the shadow would compile all it needs again.
func (l *linter) buildStaticcheck(ctx context.Context) (string, error) {
	tool := filepath.Join(l.root, "build", "bin", "staticcheck")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", tool, staticcheck)
	cmd.Dir = l.root
	_, err := cmd.Output()
	return tool, toolError("building staticcheck", err)
}

// run runs one linter. Each line that it prints about the source is a finding;
// lines without a place explain the one before, or head a package.
func (l *linter) run(cmd *exec.Cmd) {
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		l.err = errors.Join(l.err, err)
		return
	}
	places := 0
	for line := range bytes.Lines(out) {
		text := strings.TrimPrefix(strings.TrimSpace(string(line)), "vet: ")
		where, what, ok := splitPlace(strings.TrimPrefix(text, l.root+string(os.PathSeparator)))
		if ok {
			places++
		}
		if ok && !l.usedByAssembly(where, what) {
			l.findings = append(l.findings, finding{where, what})
		}
	}
	if err != nil && places == 0 {
		l.err = errors.Join(l.err, fmt.Errorf("%s: %v: %s", filepath.Base(cmd.Path), err, bytes.TrimSpace(out)))
	}
}

// splitPlace splits file:line:column: text.
func splitPlace(line string) (where, what string, ok bool) {
	where, what, ok = strings.Cut(line, ": ")
	return strings.TrimPrefix(where, "./"), what, ok && strings.Contains(where, ".go:")
}

// toolError adds what a failed command said on its standard error.
func toolError(what string, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%s: %s", what, bytes.TrimSpace(exit.Stderr))
	}
	return err
}
