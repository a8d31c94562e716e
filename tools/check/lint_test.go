package check

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// lintOutput runs a linter that prints text and exits with status.
func lintOutput(t *testing.T, text, status string) *linter {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	l := &linter{root: root}
	l.run(exec.Command("sh", "-c", `printf %s "$0"; exit $1`, text, status))
	return l
}

func TestLinesOfLintersBecomeFindings(t *testing.T) {
	tree(t, "cpu/a.go", "package cpu\n")
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	l := lintOutput(t, "# hearth/cpu\n./cpu/a.go:3:2: x declared and not used\n"+
		"vet: cpu/a.go:4:1: expected }\n\tmore about it\n"+root+"/cpu/a.go:5:6: func f is unused (U1000)\n", "1")
	want := []finding{
		{"cpu/a.go:3:2", "x declared and not used"},
		{"cpu/a.go:4:1", "expected }"},
		{"cpu/a.go:5:6", "func f is unused (U1000)"},
	}
	if !slices.Equal(l.findings, want) || l.err != nil {
		t.Errorf("findings %v, error %v", l.findings, l.err)
	}
}

func TestLinterThatFailsWithoutAFindingIsAnError(t *testing.T) {
	tree(t)
	if l := lintOutput(t, "no such tool", "3"); l.err == nil || !strings.Contains(l.err.Error(), "no such tool") {
		t.Errorf("error %v", l.err)
	}
	if l := lintOutput(t, "", "0"); l.err != nil || len(l.findings) > 0 {
		t.Errorf("findings %v, error %v", l.findings, l.err)
	}
}

func TestNamesThatOnlyAssemblyUsesAreInUse(t *testing.T) {
	tree(t, "kernel/a.s", "CALL ·onEvent(SB)\nMOVQ $const_limit, AX\nMOVQ frame_size(AX), BX\n")
	l := lintOutput(t, strings.Join([]string{
		"kernel/a.go:1:2: func onEvent is unused (U1000)",
		"kernel/a.go:2:2: const limit is unused (U1000)",
		"kernel/a.go:3:2: field size is unused (U1000)",
		"kernel/a.go:4:2: func on is unused (U1000)",
		"kernel/a.go:5:2: func Event is unused (U1000)",
		"smp/a.go:6:2: func onEvent is unused (U1000)",
	}, "\n"), "1")
	var where []string
	for _, f := range l.findings {
		where = append(where, f.where)
	}
	if !slices.Equal(where, []string{"kernel/a.go:4:2", "kernel/a.go:5:2", "smp/a.go:6:2"}) || l.err != nil {
		t.Errorf("findings at %v, error %v", where, l.err)
	}
}
