package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hearth/tools/check/overlay"
)

// Whoever changes a term of the key is told by the board what the scenarios say of the
// new rule, and, apart from that, that the judge has the old one. Without the term of
// homes P29a's order fails and P30, whose CPUs all run, does not.
func TestAChangedKeyIsScoredByTheScenarios(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tool := buildWith(t, root, "sched/key.go", "uint64(homeTerm(r))<<homeShift | ", "")
	score := func(names ...string) string {
		cmd := exec.CommandContext(t.Context(), tool, append([]string{"sim", "score", "-policies", "hearth", "-seeds", "2"}, names...)...)
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("it succeeds with\n%s", out)
		}
		return string(out)
	}
	if out := score("P30"); !strings.Contains(out, "hearth passes every scenario, but is not what sched/sim/oracle.go says") {
		t.Errorf("P30 says nothing of this term:\n%s", out)
	}
	out := score("P30", "P29a-order")
	for _, want := range []string{`(?m)^ *a +hearth +1/2 `, `(?m)^oracle: [1-9]\d* of \d+ placements of hearth `, `(?m)^ *P29a-order +0$`, `expect used-`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// buildWith builds the tool with one text of a file changed, and returns where it is.
func buildWith(t *testing.T, root, file, old, new string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(data), old) != 1 {
		t.Fatalf("%s has not %q once", file, old)
	}
	return buildInstead(t, root, file, strings.Replace(string(data), old, new, 1))
}

// buildInstead builds the tool with a text in place of a file, which there may not be.
func buildInstead(t *testing.T, root, file, text string) string {
	t.Helper()
	dir := t.TempDir()
	list, err := overlay.Write(dir, map[string]string{filepath.Join(root, file): text})
	if err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(dir, "hearth")
	mustRun(t, root, "go", "build", "-overlay", list, "-o", tool, "./tools/hearth")
	return tool
}
