package check

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"hearth/tools/check/controls"
)

const oneControl = `[{"name": "fence removed", "file": "a.go", "old": "package", "new": "import", "package": "./cpu", "test": "TestX", "why": "a wake is lost"}]`

func TestControlsAreListed(t *testing.T) {
	tree(t, "cpu/a.go", "package cpu\n", "cpu/controls.json", oneControl)
	check(t, "controls -list", 0, "fence removed  cpu/a.go  ./cpu  TestX  a wake is lost", "1 controls, none run")
	check(t, "controls -list -run remov", 0, "1 controls")
	check(t, "controls -list -run added", 2, `no control of 1 has a name that matches "added"`)
}

func TestMalformedControlsAreBadInput(t *testing.T) {
	tree(t, "cpu/a.go", "package cpu\n", "cpu/controls.json", "[{]")
	check(t, "controls", 2, "hearth check controls: bad input: cpu/controls.json: not a list of controls at byte 3")
	tree(t)
	check(t, "controls", 2, "no controls.json in this tree")
}

func TestEachControlHasOneLineAsSoonAsItIsJudged(t *testing.T) {
	var out bytes.Buffer
	tell := (&request{stdout: &out}).tellControl(12)
	control := controls.Control{Name: "fence removed", File: "cpu/a.go"}
	results := []controls.Result{
		{Control: control, Line: 7, Verdict: controls.Red, Detail: "TestX", Took: 1500 * time.Millisecond},
		{Control: control, Line: 8, Verdict: controls.Green, Failure: "stays green: TestX does not notice the mutation"},
	}
	for i, want := range []string{
		" 1/12   1.5s  cpu/a.go:7: fence removed; turns red: TestX\n",
		" 2/12   0.0s  cpu/a.go:8: fence removed; NOT RED\n",
	} {
		tell(results[i])
		if got := out.String(); got != want {
			t.Errorf("told %q, want %q", got, want)
		}
		out.Reset()
	}
	if got := fmt.Sprint(reportControls(results).findings); got != `[cpu/a.go:8: control "fence removed": stays green: TestX does not notice the mutation]` {
		t.Error(got)
	}
}

func TestWalkOfWhatIsNoKernelIsBadInput(t *testing.T) {
	tree(t, "kernel/entries.txt", "hearth_entry64\n")
	check(t, "walk -elf gone.elf", 2, "hearth check walk: bad input: open gone.elf: no such file or directory")
	check(t, "walk -elf go.mod", 2, "hearth check walk: bad input: go.mod is no ELF")
}
