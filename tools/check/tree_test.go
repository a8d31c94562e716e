package check

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes files, given as name and text by turns, into a module of its own
// and makes it the current folder.
func tree(t *testing.T, files ...string) {
	t.Helper()
	root := t.TempDir()
	files = append(files, "go.mod", "module hearth\n\ngo 1.26\n")
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(root, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
}

// check runs the command and wants the status and every one of the lines.
func check(t *testing.T, args string, status int, lines ...string) {
	t.Helper()
	var out bytes.Buffer
	got := Main(strings.Fields(args), &out, &out)
	if got != status {
		t.Errorf("hearth check %s: status %d, want %d; it said\n%s", args, got, status, &out)
	}
	for _, line := range lines {
		if !strings.Contains(out.String(), line) {
			t.Errorf("hearth check %s did not say %q but\n%s", args, line, &out)
		}
	}
}

func TestBadInputIsStatusTwoAndOneLine(t *testing.T) {
	tree(t)
	check(t, "edge", 2, `unknown check "edge"; known: edges, docs, walk, lint, controls, mutants`)
	check(t, "-nonsense", 2, "not defined: -nonsense; see hearth check -h")
	check(t, "controls -run (", 2, `-run "(" is no regular expression`)
	check(t, "mutants -files (", 2, `-files "(" is no regular expression`)
	check(t, "-h", 0, "usage: hearth check")
}

func TestSourceThatDoesNotParseIsBadInput(t *testing.T) {
	tree(t, "cpu/a.go", "package cpu\n\nfunc {\n")
	check(t, "edges", 2, "cpu/a.go:3:6")
}
