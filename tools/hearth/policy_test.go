package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The guide's own example, put where the guide says, compiles and is scored: its
// file goes into the tree through an overlay.
func TestTheGuideToPoliciesWorksAsWritten(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile(filepath.Join(root, "docs/policy.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)`(sched/sim/policies/\\w+\\.go)`:\n\n```go\n(.*?)```").FindSubmatch(guide)
	if block == nil {
		t.Fatal("docs/policy.md names no file with code")
	}
	tool := buildInstead(t, root, string(block[1]), string(block[2]))
	out := mustRun(t, root, tool, "sim", "score", "-policies", "hearth,draw-three", "-seeds", "2", "P03", "P13")
	if !regexp.MustCompile(`(?m)^ *b +draw-three +\d/2 `).MatchString(out) {
		t.Errorf("no row of draw-three in\n%s", out)
	}
}

// mustRun returns what a command that must succeed prints.
func mustRun(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
