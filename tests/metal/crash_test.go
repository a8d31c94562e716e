package metal

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hearth/qemu"
	"hearth/tools/symbolise"
)

// faultsTag makes a kernel that fails on demand: kernel/faults.go.
const faultsTag = "hearth_faults"

// TestFaultOfTheKernelLeavesARecordThatNamesItsLine provokes each fault in kernel
// context. The record must frame itself, say what happened and lead to the very
// line: each is marked in the source with what fails there.
func TestFaultOfTheKernelLeavesARecordThatNamesItsLine(t *testing.T) {
	t.Parallel()
	const page, throw = "page fault in kernel context", "a Go panic or throw in kernel context"
	for _, test := range []struct {
		way        int
		mark       string // behind "// fails: " in the source
		what       []string
		function   string
		vector     int
		lines      []string // besides
		atRIP      bool     // or one of the frames
		isAssembly bool
	}{
		{0, "nil", []string{page}, "readNowhere", 14, []string{"cr2 0x0000000000000000", "error 0x0000000000000000"}, true, false},
		{1, "text", []string{page}, "overwriteCode", 14, []string{"error 0x0000000000000003"}, true, false},
		{2, "data", []string{page}, "provoke", 14, []string{"error 0x0000000000000011"}, false, false},
		{3, "stack", []string{page}, "useUpStack", 14, []string{"error 0x0000000000000002"}, true, true},
		{4, "division", []string{throw}, "divideByZero", 257, []string{"said panic: "}, false, false},
		{5, "bounds", []string{throw, page}, "indexBeyond", -1, nil, false, false},
		{6, "divide instruction", []string{"division by zero in kernel context"}, "divideWithoutCheck", 0, nil, true, true},
		{7, "stop", []string{"a test asked for it"}, "stopItself", 3, nil, false, false},
		{8, "edge", []string{throw}, "provoke", 257, []string{"said panic: "}, false, false},
	} {
		t.Run(test.mark, func(t *testing.T) {
			t.Parallel()
			r := crash(t, test.way)
			if what := value(r.Crash, "what"); !slices.Contains(test.what, what) {
				t.Errorf("what happened: %q, want one of %q", what, test.what)
			}
			if v := value(r.Crash, "vector"); test.vector >= 0 && v != fmt.Sprint(test.vector) {
				t.Errorf("vector %s, want %d", v, test.vector)
			}
			for _, line := range test.lines {
				if !slices.Contains(r.Crash, "crash: "+line) {
					t.Errorf("the record lacks %q", line)
				}
			}
			file := "kernel/faults.go"
			if test.isAssembly {
				file = "kernel/faults_amd64.s"
			}
			checkPlace(t, r, test.atRIP, "hearth/kernel."+test.function, file, test.mark)
			if test.mark == "stop" && !regexp.MustCompile(`(?m)^crash: frame 0 \S+ hearth/kernel\.crash `).MatchString(explain(t, r)) {
				t.Error("the path does not begin with the function that found the error")
			}
			checkRecord(t, r)
		})
	}
}

// crash boots the image that fails, and demands a crash.
func crash(t *testing.T, way int) qemu.Result {
	t.Helper()
	m := machine(2, 1, 1)
	m.Kernel, m.Append = built(t, "ends", faultsTag).Image, fmt.Sprintf("-- provoke %d", way)
	r := run(t, m)
	if r.Outcome != qemu.Crash || r.Status != 255 {
		t.Fatalf("outcome %v, status %d, want crash, 255", r.Outcome, r.Status)
	}
	return r
}

// value is what the record says under a key.
func value(record []string, key string) string {
	for _, line := range record {
		if text, ok := strings.CutPrefix(line, "crash: "+key+" "); ok {
			return text
		}
	}
	return ""
}

// checkPlace explains the record and looks for a place, at the instruction that
// failed or among its callers.
func checkPlace(t *testing.T, r qemu.Result, atRIP bool, function, file, mark string) {
	t.Helper()
	explained := explain(t, r)
	source, err := os.ReadFile(root + "/" + file)
	if err != nil {
		t.Fatal(err)
	}
	line := 1 + slices.IndexFunc(strings.Split(string(source), "\n"), func(s string) bool { return strings.HasSuffix(s, "// fails: "+mark) })
	kind := `frame \d+`
	if atRIP {
		kind = "rip"
	}
	want := fmt.Sprintf(`(?m)^crash: %s 0x[0-9a-f]{16} %s hearth/%s:%d$`, kind, regexp.QuoteMeta(function), regexp.QuoteMeta(file), line)
	if !regexp.MustCompile(want).MatchString(explained) {
		t.Errorf("no line %s in\n%s", want, explained)
	}
}

func explain(t *testing.T, r qemu.Result) string {
	t.Helper()
	table, err := symbolise.Open(built(t, "ends", faultsTag).Symbols)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table.Rewrite(&b, strings.NewReader(strings.Join(r.Crash, "\n")+"\n")); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// recordLine is the form of every line between the frame's two.
var recordLine = regexp.MustCompile(`^crash: [a-z][a-z0-9]* ?.*$`)

// checkRecord demands the frame, every register once, and every CPU's handle.
func checkRecord(t *testing.T, r qemu.Result) {
	t.Helper()
	if last := r.Crash[len(r.Crash)-1]; last != "hearth: crash end" || r.LastLine() != last {
		t.Errorf("the record ends with %q, the console with %q", last, r.LastLine())
	}
	seen := map[string]int{}
	for _, line := range r.Crash[1 : len(r.Crash)-1] {
		if !recordLine.MatchString(line) {
			t.Errorf("line %q in the record", line)
		}
		words := strings.Fields(line)
		seen[words[1]]++
	}
	registers := "what cpu vector error rip rsp rflags cr2 cr3 rax rbx rcx rdx rsi rdi rbp r8 r9 r10 r11 r12 r13 r14 r15 context thread code"
	for key := range strings.FieldsSeq(registers) {
		if seen[key] != 1 {
			t.Errorf("%s is in the record %d times, want once", key, seen[key])
		}
	}
	if seen["handle"] != 2 || seen["frame"] < 3 || seen["stack"] == 0 || seen["trace"] == 0 {
		t.Errorf("the record has %d handles (of 2 CPUs), %d frames, %d lines of stack, %d trace records",
			seen["handle"], seen["frame"], seen["stack"], seen["trace"])
	}
}

// TestSilentCPUIsReportedAndLeftOut boots a kernel that believes in one CPU more
// than there is.
func TestSilentCPUIsReportedAndLeftOut(t *testing.T) {
	t.Parallel()
	m := machine(2, 2, 1)
	m.Kernel, m.Append = built(t, "ends", faultsTag).Image, "-- return"
	r := run(t, m)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"hearth: cpu with APIC id 200 stayed silent and is left out", "hearth: cpus 3 online 2 llcs 2 cores 2 "} {
		if !said(r, text) {
			t.Errorf("the console does not say %q", text)
		}
	}
}
