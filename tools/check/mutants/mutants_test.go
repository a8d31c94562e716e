package mutants

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fixture is a copy of the fixture with a Config that judges all of it by the tests
// that stand beside it.
func fixture(t *testing.T) Config {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS("testdata/fixture")); err != nil {
		t.Fatal(err)
	}
	command := func(ctx context.Context, dir string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = dir
		return cmd
	}
	return Config{Root: root, Package: ".", Tests: []string{"."}, Command: command}
}

func run(t *testing.T, c Config) *Report {
	t.Helper()
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(c.Root, "build")); err != nil || len(left) != 0 {
		t.Errorf("left %v in build, error %v", left, err)
	}
	return r
}

// verdicts are the results by what they change.
func verdicts(r *Report) map[string]Result {
	all := map[string]Result{}
	for _, m := range r.Results {
		all[m.Func+": "+m.Old+" → "+m.New] = m
	}
	return all
}

func TestVerdictsTellWhatTheTestsNotice(t *testing.T) {
	c := fixture(t)
	var told bytes.Buffer
	c.Progress = &told
	all := verdicts(run(t, c))
	for name, want := range map[string]Verdict{
		"Sum: n > most → n >= most":  Survived,
		"Sum: n > most → n <= most":  Killed,
		"Sum: n > most → false":      Killed,
		"Sum: n > most → true":       Killed,
		"Sum: i <= n → i < n":        Killed,
		"Sum: sum += i → ":           Killed,
		"Sum: sum += i → sum -= i":   Killed,
		"Sum: 1 → 0":                 Survived,
		"Sum: 1 → 2":                 Killed,
		"Sum: all of it → ":          Killed,
		"most: 100 → 200":            Killed,
		"most: 100 → 50":             Killed,
		"Larger: a > b → a >= b":     Survived,
		"Larger: a > b → a <= b":     Killed,
		"split: n >> 8 → n << 8":     Killed,
		"split: n & 0xff → n | 0xff": Killed,
		"split: 8 → 9":               Killed,
		"split: true → false":        Killed,
		"split: false → true":        Killed,
		"split: p.high == 0 && p.low == 0 → p.high == 0 || p.low == 0": Survived,
		"rotate: i+1 → i - 1":            Killed,
		"rotate: list[i] = list[i+1] → ": Killed,
		"Untested: n * 2 → n / 2":        Survived,
		"Untested: 2 → 3":                Survived,
		"mustBe: n > 0 → n >= 0":         Survived,
	} {
		if got, ok := all[name]; !ok || got.Verdict != want {
			t.Errorf("%s: verdict %d of a mutant that there is: %v; want %d", name, got.Verdict, ok, want)
		}
	}
	if t.Failed() {
		for name := range all {
			t.Log(name)
		}
	}
}

func TestTestsOfOtherPackagesNotice(t *testing.T) {
	c := fixture(t)
	c.Tests = append(c.Tests, "./far")
	c.Run = regexp.MustCompile(`Untested: n \* 2 → n / 2`)
	r := run(t, c)
	if len(r.Results) != 1 || r.Results[0].Verdict != Killed || r.Results[0].By != "TestLargerOfEquals" {
		t.Errorf("results %+v", r.Results)
	}
}

func TestEndlessLoopsAreNoticed(t *testing.T) {
	c := fixture(t)
	replace(t, &c, "sum.go", "i <= n; i++ {\n\t\tsum += i", "i <= n; {\n\t\tsum += i\n\t\ti++")
	c.Run = regexp.MustCompile(`i\+\+ left out`)
	r := run(t, c)
	if len(r.Results) != 1 || r.Results[0].Verdict != Hung || r.Results[0].By != "TestSum" {
		t.Errorf("results %+v", r.Results)
	}
}

// replace changes the text of a file of the fixture.
func replace(t *testing.T, c *Config, name, old, new string) {
	t.Helper()
	path := filepath.Join(c.Root, name)
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%q is not in %s; %v", old, name, err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte(old), []byte(new), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWhatDoesNotCompileIsLaidAside(t *testing.T) {
	c := fixture(t)
	list, err := c.Mutants(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if text := list[i].String(); strings.Contains(text, "mustBe: panic") {
			t.Errorf("%s: then a return is missing, and still it is a mutant", text)
		}
	}
	width := slices.IndexFunc(list, func(m Mutant) bool { return m.Func == "width" })
	if width < 0 {
		t.Error("the use of width as an index is no place of its mutants")
	}
}

func TestListedSurvivorsCarryTheirReason(t *testing.T) {
	c := fixture(t)
	c.List = ListName
	c.Run = regexp.MustCompile(`Larger: a > b`)
	all := verdicts(run(t, c))
	if why := all["Larger: a > b → a >= b"].Why; !strings.Contains(why, "either is the larger one") {
		t.Errorf("reason %q", why)
	}
	if why := all["Larger: a > b → a <= b"].Why; why != "" {
		t.Errorf("one that is not listed has the reason %q", why)
	}
}

func TestAListThatIsNotTrueIsRefused(t *testing.T) {
	for name, of := range map[string]struct{ old, new, want string }{
		"gone":      {`"a > b"`, `"a > c"`, "fits no mutant"},
		"no reason": {`"100 becomes 100"`, `""`, "says no why"},
		"several":   {`"func": "Sum", "old": "n > most", "new": "n >= most"`, `"func": "split", "old": "0", "new": "1"`, `fits 2 mutants: add the text of its "line"`},
		"misspelt":  {`"func": "Sum"`, `"function": "Sum"`, "unknown field"},
		"behind":    {"\n]", "\n] x", "something stands behind"},
		"no file":   {`"sum.go"`, `"gone.go"`, "no such file"},
	} {
		c := fixture(t)
		c.List = ListName
		replace(t, &c, ListName, of.old, of.new)
		if _, err := c.Mutants(t.Context()); err == nil || !strings.Contains(err.Error(), of.want) {
			t.Errorf("%s: error %v, want %q", name, err, of.want)
		}
	}
}

// TestASlowTestIsLeftOutOfAQuickRun takes the only test that notices a mutant away,
// then judges again what survived.
func TestASlowTestIsLeftOutOfAQuickRun(t *testing.T) {
	c := fixture(t)
	c.Run = regexp.MustCompile(`Untested: n \* 2 → n / 2|Larger: a > b → a`)
	replace(t, &c, "sum_test.go", "import \"testing\"", "import (\n\t\"testing\"\n\t\"time\"\n)")
	replace(t, &c, "sum_test.go", "func TestMustBe", "func TestUntested(t *testing.T) {\n\ttime.Sleep(2 * "+fmt.Sprint(int64(quick))+")\n\tif Untested(2) != 4 {\n\t\tt.Error()\n\t}\n}\n\nfunc TestMustBe")
	var told bytes.Buffer
	c.Progress, c.Quick = &told, quick
	const only = "Untested: n * 2 → n / 2"
	if r := verdicts(run(t, c)); r[only].Verdict != Survived || r["Larger: a > b → a <= b"].Verdict != Killed {
		t.Errorf("results %+v", r)
	}
	c.Quick, c.Again = 0, filepath.Join(c.Root, "told")
	if err := os.WriteFile(c.Again, told.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	r := verdicts(run(t, c))
	if len(r) != 2 || r[only].By != "TestUntested" || r["Larger: a > b → a >= b"].Verdict != Survived {
		t.Errorf("again: %+v of what told %q", r, told.String())
	}
	c.Again = filepath.Join(c.Root, "gone")
	if _, err := c.Mutants(t.Context()); err == nil {
		t.Error("the survivors of a run that left no output were found")
	}
}

func TestSamplesRepeat(t *testing.T) {
	c := fixture(t)
	c.Sample, c.Seed = 5, 7
	first, err := c.Mutants(t.Context())
	if err != nil || len(first) != 5 {
		t.Fatalf("%d mutants, error %v", len(first), err)
	}
	again, _ := c.Mutants(t.Context())
	if !slices.Equal(first, again) {
		t.Error("the same seed drew others")
	}
	c.Seed = 8
	if other, _ := c.Mutants(t.Context()); slices.Equal(first, other) {
		t.Error("another seed drew the same")
	}
}

func TestOnlyTheFilesAskedForAreChanged(t *testing.T) {
	c := fixture(t)
	c.Files = func(name string) bool { return name == "other.go" }
	if _, err := c.Mutants(t.Context()); err == nil || !strings.Contains(err.Error(), "no mutant of 0 is selected") {
		t.Errorf("error %v", err)
	}
}

func TestAPackageThatFailsAsItIsProvesNothing(t *testing.T) {
	c := fixture(t)
	replace(t, &c, "sum_test.go", "4: 10", "4: 11")
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "without a mutant, the tests of . fail") || !strings.Contains(err.Error(), "TestSum") {
		t.Errorf("error %v", err)
	}
	replace(t, &c, "sum.go", "sum += i", "sum += j")
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "undefined: j") {
		t.Errorf("error %v", err)
	}
}
