package controls

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const fixture = "testdata/fixture"

// plainGo runs the go of the environment: the fixture needs no shadow.
func plainGo(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	return cmd
}

// prove runs one control of the fixture, alone and beside another one, which must
// come to the same.
func prove(t *testing.T, c Control) Result {
	t.Helper()
	r := proveAlone(t, c)
	if c.File == "" || c.File == good.File {
		c.File, c.Package = "sum.go", "."
		beside := runAll(t, plainGo, []Control{c, good})
		if was, is := r.Failure, beside[0].Failure; stem(was) != stem(is) || beside[1].Failure != "" {
			t.Errorf("failure %q, beside another one %q, whose failure is %q", was, is, beside[1].Failure)
		}
	}
	return r
}

// stem is a failure without what comes after its kind: names of scratch files differ.
func stem(failure string) string {
	return strings.Join(strings.SplitN(failure, ":", 3)[:min(2, strings.Count(failure, ":")+1)], ":")
}

func proveAlone(t *testing.T, c Control) Result {
	t.Helper()
	if c.File == "" {
		c.File = "sum.go"
	}
	c.Name, c.Package = t.Name(), "."
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	results, err := Run(t.Context(), root, []Control{c}, plainGo, nil)
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(root, "build"))
	if err != nil || len(left) != 0 {
		t.Errorf("left %v in build, error %v", left, err)
	}
	return results[0]
}

func TestListedControlsTurnTheirTestsRed(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	list, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]int{}
	results, err := Run(t.Context(), root, list, plainGo, func(r Result) { told[r.Control.Name+" "+r.Detail]++ })
	if err != nil || len(results) != 2 {
		t.Fatalf("%d results, error %v", len(results), err)
	}
	for i, want := range []struct {
		line int
		test string
	}{{7, "TestSumOfTen"}, {6, "TestSumOfNothing"}} {
		r := results[i]
		if r.Failure != "" || r.Verdict != Red || r.Line != want.line || r.Detail != want.test {
			t.Errorf("control %q: line %d, %v %s, failure %q", r.Control.Name, r.Line, r.Verdict, r.Detail, r.Failure)
		}
		if told[r.Control.Name+" "+want.test] != 1 {
			t.Errorf("control %q was told not once: %v", r.Control.Name, told)
		}
	}
}

func TestControlsThatProveNothingAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		control Control
		want    string
	}{
		"stays green":      {Control{Old: "i <= n", New: "n >= i", Test: "TestSumOfTen"}, "stays green: TestSumOfTen does not notice"},
		"another test":     {Control{Old: "i <= n", New: "i < n", Test: "TestSumOfNothing"}, "stays green: TestSumOfNothing"},
		"does not compile": {Control{Old: "i <= n", New: "i <= m", Test: "TestSumOfTen"}, "with the mutation: does not compile: ./build/_controls-"},
		"hangs":            {Control{Old: "i++", New: "i += 0", Test: "TestSumOfTen", Flags: flags{"-timeout=1s"}}, "with the mutation: timed out: panic: test timed out after 1s"},
		"fails apart":      {Control{Old: "i <= n", New: "i <= n && n != 3", Test: "TestSumOfTen"}, "with the mutation: failed outside the test"},
		"red before":       {Control{Old: "i <= n", New: "i < n", Test: "TestRedAsItStands"}, "without the mutation: red: TestRedAsItStands"},
		"no such test":     {Control{Old: "i <= n", New: "i < n", Test: "TestGone"}, "without the mutation: no test ran"},
		"skipped":          {Control{Old: "i <= n", New: "i < n", Test: "TestSkipped"}, "without the mutation: no test ran"},
		"unknown flag":     {Control{Old: "i <= n", New: "i < n", Test: "TestSumOfTen", Flags: flags{"-nonsense"}}, "without the mutation: failed outside the test: flag provided but not defined"},
		"old is gone":      {Control{Old: "i != n", New: "i < n", Test: "TestSumOfTen"}, "the old text occurs 0 times in sum.go, not once"},
		"old is twice":     {Control{Old: "total", New: "sum", Test: "TestSumOfTen"}, "the old text occurs 3 times in sum.go, not once"},
	} {
		t.Run(name, func(t *testing.T) {
			if r := prove(t, c.control); !strings.HasPrefix(r.Failure, c.want) {
				t.Errorf("failure %q, want %q", r.Failure, c.want)
			}
		})
	}
}

func TestPanicInTheNamedTestIsRed(t *testing.T) {
	r := prove(t, Control{Old: "return total", New: "return total / (total - 55)", Test: "TestSumOfTen"})
	if r.Failure != "" || r.Detail != "TestSumOfTen panic: runtime error: integer divide by zero [recovered, repanicked]" {
		t.Errorf("failure %q, detail %q", r.Failure, r.Detail)
	}
}

func TestExitOfTheNamedTestIsRed(t *testing.T) {
	if r := prove(t, Control{Old: "i <= n", New: "i < n", Test: "TestExitsWhenWrong"}); r.Failure != "" || r.Detail != "TestExitsWhenWrong ended the process" {
		t.Errorf("failure %q, detail %q", r.Failure, r.Detail)
	}
}

func TestMalformedListsAreNamedWithTheirPlace(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(fixture, "inner", ListName))
	if err != nil {
		t.Fatal(err)
	}
	one := func(old, new string) string { return strings.Replace(string(whole), old, new, 1) }
	for want, text := range map[string]string{
		"at byte 1: json: cannot unmarshal object": `{}`,
		"at byte 0: EOF":                           ``,
		"at byte 20: unexpected EOF":               string(whole[:20]),
		"at byte 4: invalid character":             "[\n\t!",
		`unknown field "nome"`:                     one(`"name"`, `"nome"`),
		"text after the list":                      string(whole) + "[]",
		`control 2, "": no "name"`:                 one(`"wrong start"`, `""`),
		`control 1, "bound off by one": no "test"`: one(`"^TestSumOfTen$"`, `""`),
		`"old" and "new" are the same`:             one(`i < n`, `i <= n`),
		`"test": error parsing regexp`:             one(`^TestSumOfTen$`, `(`),
		"no file gone.go":                          one(`"sum.go"`, `"gone.go"`),
		`control "wrong start" is also in inner`:   one("bound off by one", "wrong start"),
	} {
		root := t.TempDir()
		if err := os.CopyFS(root, os.DirFS(fixture)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "inner", ListName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Load(root)
		if err == nil || !strings.HasPrefix(err.Error(), "inner/controls.json: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestControlsOfAPackageShareTheUnmutatedRun(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	one := Control{Name: "one", File: "sum.go", Old: "i <= n", New: "i < n", Package: ".", Test: "^TestSumOfTen$"}
	two, three := one, one
	two.Test, three.Test = "^TestExitsWhenWrong$", "^TestSumOfNothing$"
	three.Old, three.New = "total := 0", "total := 1"
	var runs atomic.Int32
	results, err := Run(t.Context(), root, []Control{one, two, three}, func(ctx context.Context, dir string, args ...string) *exec.Cmd {
		if args[0] == "tool" { // what runs a test of the shared binary
			runs.Add(1)
		}
		return plainGo(ctx, dir, args...)
	}, nil)
	if err != nil || runs.Load() != 4 {
		t.Errorf("%d runs of go, want 1 and 3; error %v", runs.Load(), err)
	}
	for _, r := range results {
		if r.Failure != "" {
			t.Errorf("%s: %s", r.Control.Test, r.Failure)
		}
	}
}

func TestControlWithoutATestIsFoundInAGreenGroup(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	good := Control{Name: "good", File: "sum.go", Old: "i <= n", New: "i < n", Package: ".", Test: "^TestSumOfTen$"}
	gone := good
	gone.Test = "^TestGone$"
	results, err := Run(t.Context(), root, []Control{good, gone}, plainGo, nil)
	if err != nil || results[0].Failure != "" || results[1].Failure != "without the mutation: no test ran" {
		t.Errorf("failures %q and %q, error %v", results[0].Failure, results[1].Failure, err)
	}
}

func TestEveryControlRunsOnceWhateverTheirNumber(t *testing.T) {
	const n = 100
	ran := make([]int, n)
	parallel(n, func(i int) { ran[i]++; time.Sleep(time.Microsecond) })
	for i, times := range ran {
		if times != 1 {
			t.Errorf("%d ran %d times", i, times)
		}
	}
}
