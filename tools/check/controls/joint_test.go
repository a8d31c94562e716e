package controls

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// good is a control of the fixture that stands beside others.
var good = Control{Name: "good", File: "sum.go", Old: "total := 0", New: "total := 1", Package: ".", Test: "^TestSumOfNothing$"}

// runAll runs controls of the fixture, to which more files may be added by name and
// text in turn.
func runAll(t *testing.T, command GoCommand, list []Control, more ...string) []Result {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	for ; len(more) > 0; more = more[2:] {
		if err := os.WriteFile(filepath.Join(root, more[0]), []byte(more[1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	results, err := Run(t.Context(), root, list, command, nil)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// like returns good with another change and test.
func like(old, new, test string) Control {
	c := good
	c.Name, c.Old, c.New, c.Test = old+" "+new, old, new, test
	return c
}

func TestControlsOfOneFunctionShareABinary(t *testing.T) {
	results := runAll(t, plainGo, []Control{good, like("i <= n", "i < n", "^TestSumOfTen$"), like("i := 1", "i := 2", "^TestSumOfTen$")})
	for i, want := range []string{"TestSumOfNothing", "TestSumOfTen", "TestSumOfTen"} {
		if r := results[i]; r.Failure != "" || !r.Joint || r.Detail != want {
			t.Errorf("%s: failure %q, joint %v, red %q; want %s in the shared binary", r.Control.Name, r.Failure, r.Joint, r.Detail, want)
		}
	}
}

// What no single function's body holds is the same for a whole build.
func TestOnlyAChangeOfOneBodyFitsBesideOthers(t *testing.T) {
	const source = `package p

import "fmt"

const limit = 3

type pair struct{ a, b int }

func sum(p pair) (total int) {
	total = p.a + p.b
	if total > limit {
		fmt.Println(total)
	}
	return total
}

func safe(do func()) {
	defer func() { recover() }()
	do()
}
`
	for _, c := range []struct {
		old, new string
		fits     bool
	}{
		{"p.a + p.b", "p.a - p.b", true},
		{"\tif total > limit {\n\t\tfmt.Println(total)\n\t}\n", "\tfmt.Print()\n", true},
		{"\treturn total\n", "\treturn 0\n", true},
		{"limit = 3", "limit = 4", false},
		{"a, b int", "a, b int8", false},
		{"(total int)", "(total int64)", false},
		{"fmt.Println(total)", "", false}, // the import is left over
		{"\tdo()\n", "", false},           // recover is called from another depth
		{"return total\n}\n\nfunc safe", "return 0\n}\n\nfunc unsafe", false},
		{"\ttotal = p.a + p.b\n", "\ttotal = p.a +\n", false}, // does not parse
		{"\treturn total\n}\n", "\treturn total\n}\n\nfunc more() {}\n", false},
	} {
		at := strings.Index(source, c.old)
		m := mutation{at: at, end: at + len(c.old), before: source, after: strings.Replace(source, c.old, c.new, 1)}
		if _, fits := m.prelude(1); at < 0 || fits != c.fits {
			t.Errorf("%q for %q: fits %v, want %v", c.new, c.old, fits, c.fits)
		}
	}
}

func TestWhatDoesNotCompileLeavesTheOthersTogether(t *testing.T) {
	results := runAll(t, plainGo, []Control{good, like("i <= n", "i <= m", "^TestSumOfTen$"), like("i := 1", "i := 2", "^TestSumOfTen$")})
	if r := results[1]; r.Joint || !strings.HasPrefix(r.Failure, "with the mutation: does not compile") {
		t.Errorf("what does not compile: joint %v, failure %q", r.Joint, r.Failure)
	}
	for _, r := range []Result{results[0], results[2]} {
		if r.Failure != "" || !r.Joint {
			t.Errorf("%s: joint %v, failure %q", r.Control.Name, r.Joint, r.Failure)
		}
	}
}

// A build that fails and blames nobody is tried in halves.
func TestABuildThatBlamesNobodyIsHalved(t *testing.T) {
	fails := func(ctx context.Context, dir string, args ...string) *exec.Cmd {
		for _, a := range args {
			if overlay, ok := strings.CutPrefix(a, "-overlay="); ok && holds(t, overlay, "== 1 ", "== 4 ") {
				return exec.CommandContext(ctx, "sh", "-c", "echo the two do not go together; exit 1")
			}
		}
		return plainGo(ctx, dir, args...)
	}
	results := runAll(t, fails, []Control{good, like("i <= n", "i < n", "^TestSumOfTen$"), like("i := 1", "i := 2", "^TestSumOfTen$"), like("i++", "i += 2", "^TestSumOfTen$")})
	for _, r := range results {
		if r.Failure != "" || !r.Joint {
			t.Errorf("%s: joint %v, failure %q", r.Control.Name, r.Joint, r.Failure)
		}
	}
}

// holds reports whether a file of an overlay has each of some texts.
func holds(t *testing.T, overlay string, texts ...string) bool {
	data, err := os.ReadFile(overlay)
	if err != nil {
		t.Fatal(err)
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, name := range o.Replace {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	for _, text := range texts {
		if !bytes.Contains(all, []byte(text)) {
			return false
		}
	}
	return true
}

// A test that is red in the shared binary without a mutation proves nothing there.
func TestATestThatIsRedBesideOthersIsRunAlone(t *testing.T) {
	const alone = `package fixture

import (
	"os"
	"testing"
)

func TestAlone(t *testing.T) {
	if os.Getenv("HEARTH_CONTROL") != "" || Sum(10) != 55 {
		t.Error("not alone, or wrong")
	}
}
`
	results := runAll(t, plainGo, []Control{good, like("i <= n", "i < n", "^TestAlone$"), like("i := 1", "i := 2", "^TestSumOfTen$")}, "alone_test.go", alone)
	for i, joint := range []bool{true, false, true} {
		if r := results[i]; r.Failure != "" || r.Joint != joint {
			t.Errorf("%s: joint %v, want %v; failure %q", r.Control.Name, r.Joint, joint, r.Failure)
		}
	}
}
