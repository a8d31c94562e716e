package mutants

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"hearth/tools/check/overlay"
)

// helperName is the file that a changed package gets besides.
const helperName = "hearth_mutants.go"

// binaries are the test binaries that hold the mutants.
type binaries struct {
	scratch string
	units   []*unit
}

// unit is what runs in one process: some tests of one binary.
type unit struct {
	binary string
	folder string   // where it runs
	flags  []string // of the binary, -test.run apart
	tests  []string
	usual  time.Duration // what it takes without a mutant

	runs, kills int // guarded by the judge's lock
}

// build compiles the changed package into the test binaries and runs them as they
// are: they must pass.
func (c *Config) build(ctx context.Context, s *selection) (*binaries, error) {
	dir := filepath.Join(c.Root, "build")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(dir, "_mutants-") // go's patterns pass over names that start so
	if err != nil {
		return nil, err
	}
	b := &binaries{scratch: scratch}
	list, err := s.writeOverlay(scratch)
	for i := 0; err == nil && i < len(c.Tests); i++ {
		err = b.compile(ctx, c, list, i)
	}
	if err != nil {
		b.remove()
		return nil, err
	}
	return b, nil
}

func (b *binaries) remove() { os.RemoveAll(b.scratch) }

// writeOverlay lays the changed files out and returns what go build -overlay reads.
func (s *selection) writeOverlay(scratch string) (string, error) {
	files := map[string]string{filepath.Join(s.folder, helperName): overlay.Selector(s.name, selector, variable) + picker}
	for _, f := range s.files {
		if len(f.sites) > 0 {
			files[f.path] = f.write().text
		}
	}
	return overlay.Write(scratch, files)
}

// compile makes the binary of the i-th package of tests and its units.
func (b *binaries) compile(ctx context.Context, c *Config, list string, i int) error {
	pkg := c.Tests[i]
	binary, err := filepath.Abs(filepath.Join(b.scratch, fmt.Sprintf("%d.test", i)))
	if err != nil {
		return err
	}
	out, err := c.Command(ctx, c.Root, "test", "-c", "-vet=off", "-overlay="+list, "-o="+binary, pkg).CombinedOutput()
	if err != nil {
		return fmt.Errorf("the mutants do not build into the tests of %s: %s", pkg, bytes.TrimSpace(out))
	}
	out, err = c.Command(ctx, c.Root, "list", "-test", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}} {{.Dir}}{{end}}", pkg).Output()
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(filepath.Join(c.Root, pkg))
	if err != nil {
		return err
	}
	whole := &unit{binary: binary, folder: folder, flags: []string{"-test.short"}}
	if strings.Contains(string(out), "pgregory.net/rapid") { // it draws its own seeds and leaves files
		whole.flags = append(whole.flags, "-rapid.seed=1", "-rapid.nofailfile")
	}
	return b.measure(ctx, pkg, whole, c.Quick)
}

// longest bounds the run without a mutant.
const longest = 15 * time.Minute

// passLine is how a test of the top level says how long it took.
var passLine = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\S+) \(([0-9.]+)s\)`)

// quick is how long a test may take to run in one process with others.
const quick = 100 * time.Millisecond

// measure runs the whole binary without a mutant and divides it into units: the
// quick tests together, each slow one alone, so that it runs only if need be, and
// not at all if it takes longer than most, which 0 does not bound.
func (b *binaries) measure(ctx context.Context, pkg string, whole *unit, most time.Duration) error {
	cmd := whole.command(ctx, 0, longest, "-test.v")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("without a mutant, the tests of %s fail: %w: %s", pkg, err, firstFailure(out))
	}
	first := *whole
	for _, line := range passLine.FindAllSubmatch(out, -1) {
		seconds, _ := strconv.ParseFloat(string(line[3]), 64)
		took := time.Duration(seconds * float64(time.Second))
		if name := string(line[2]); took <= quick {
			first.tests, first.usual = append(first.tests, name), first.usual+took
		} else if string(line[1]) == "PASS" && (most == 0 || took <= most) {
			one := *whole
			one.tests, one.usual = []string{name}, took
			b.units = append(b.units, &one)
		}
	}
	if len(first.tests) > 0 {
		b.units = append(b.units, &first)
	}
	return nil
}
