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
		name     string
		args     string // way and detail
		mark     string // behind "// fails: " in the source
		what     string
		function string
		vector   int      // -1: whichever the runtime stumbles over
		lines    []string // besides
		atRIP    bool     // or one of the frames
		assembly bool
	}{
		{"nil", "0", "nil", page, "readNowhere", 14, []string{"cr2 0x0000000000000000", "error 0x0000000000000000"}, true, false},
		{"text", "1", "text", page, "overwriteCode", 14, []string{"error 0x0000000000000003"}, true, false},
		{"constant", "16", "constant", page, "overwriteConstant", 14, []string{"error 0x0000000000000003"}, true, false},
		{"data", "2", "data", page, "provoke", 14, []string{"error 0x0000000000000011"}, false, false},
		{"division", "4", "division", throw, "divideByZero", 257, []string{`said panic: runtime.errorString("integer divide by zero")`}, false, false},
		{"bounds", "5", "bounds", "a Go panic in kernel context: an index or slice bound is out of range", "indexBeyond", 14, nil, false, false},
		{"divide instruction", "6", "divide instruction", "division by zero in kernel context", "divideWithoutCheck", 0, nil, true, true},
		{"stop", "7", "stop", "a test asked for it", "stopItself", 3, nil, false, false},
		{"edge", "8", "edge", throw, "provoke", 257, []string{"reason illegal change of state from Running to New"}, false, false},
		{"precondition", "15", "precondition", throw, "provoke", 257, []string{"reason process: only an exited context is freed, once"}, false, false},
		{"double fault", "10", "nil", "double fault: an exception could not be entered", "readNowhere", 8, nil, true, false},
		{"recursion", "11", "recursion", "the kernel stack of cpu 1 is used up", "recurse", -1, nil, false, false},
		{"debug", "13 1", "exception", "debug exception in kernel context", "provoke", 1, nil, false, false},
		{"breakpoint", "13 3", "exception", "breakpoint in kernel context", "provoke", 3, nil, false, false},
		{"opcode", "13 6", "exception", "invalid instruction in kernel context", "provoke", 6, nil, false, false},
		{"no device", "13 7", "exception", "floating point was switched off in kernel context", "provoke", 7, nil, false, false},
		{"protection", "13 13", "exception", "general protection fault in kernel context", "provoke", 13, nil, false, false},
		{"x87", "13 16", "exception", "x87 exception in kernel context", "provoke", 16, nil, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := crash(t, test.args, 1)
			if what := value(r.Crash, "what"); what != test.what {
				t.Errorf("what happened: %q, want %q", what, test.what)
			}
			if v := value(r.Crash, "vector"); test.vector >= 0 && v != fmt.Sprint(test.vector) {
				t.Errorf("vector %s, want %d", v, test.vector)
			}
			for _, line := range append(test.lines, "cpu 1", "mode kernel") {
				if !slices.Contains(r.Crash, "crash: "+line) {
					t.Errorf("the record lacks %q", line)
				}
			}
			file := "kernel/faults.go"
			if test.assembly {
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

// TestOverflowOfEveryKernelStackIsNamed pushes onto each stack of a CPU until the
// guard page below stops it.
func TestOverflowOfEveryKernelStackIsNamed(t *testing.T) {
	t.Parallel()
	for _, id := range []int{0, 1} {
		for n, stack := range []string{"kernel", "interrupt", "NMI", "double-fault", "machine-check"} {
			t.Run(fmt.Sprintf("%s_of_cpu%d", stack, id), func(t *testing.T) {
				t.Parallel()
				args := fmt.Sprint("9 ", n)
				if n == 0 {
					args = "3" // on from where it is, so that the callers are kept
				}
				r := crash(t, args, id)
				if what, want := value(r.Crash, "what"), fmt.Sprintf("the %s stack of cpu %d overflowed", stack, id); what != want {
					t.Errorf("what happened: %q, want %q", what, want)
				}
				checkPlace(t, r, true, "hearth/kernel.overflow", "kernel/faults_amd64.s", "overflow")
				checkRecord(t, r)
			})
		}
	}
}

// TestRecordSurvivesAFaultWhileItIsWritten lets one section after the other fail.
func TestRecordSurvivesAFaultWhileItIsWritten(t *testing.T) {
	t.Parallel()
	sections := []string{"what", "rip", "frame", "stack", "code"}
	for section, key := range sections {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			r := crash(t, fmt.Sprint("12 ", section+1), 1)
			if !strings.HasPrefix(value(r.Crash, "broken"), "vector 14 ") {
				t.Error("the record does not say that it is broken")
			}
			for _, other := range append(sections, "place", "caller", "handle", "trace") {
				if there := value(r.Crash, other) != ""; there == (other == key) {
					t.Errorf("%s is in the record: %v", other, there)
				}
			}
			if last := r.LastLine(); last != "hearth: crash end" {
				t.Errorf("the console ends with %q", last)
			}
		})
	}
}

// crash boots the image that fails, as args say and on a CPU, and demands a crash.
func crash(t *testing.T, args string, cpu int) qemu.Result {
	t.Helper()
	m := machine(2, 1, 1)
	m.Kernel, m.Append = built(t, "ends", faultsTag).Image, fmt.Sprintf("-- provokeOn %d %s", cpu, args)
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
	line := lineOf(t, file, "fails: "+mark)
	kind := `frame \d+`
	if atRIP {
		kind = "rip"
	}
	want := fmt.Sprintf(`(?m)^crash: %s 0x[0-9a-f]{16} %s hearth/%s:%d$`, kind, regexp.QuoteMeta(function), regexp.QuoteMeta(file), line)
	if !regexp.MustCompile(want).MatchString(explained) {
		t.Errorf("no line %s in\n%s", want, explained)
	}
}

// lineOf is the number of the line of a source file that ends with a comment.
func lineOf(t *testing.T, file, comment string) int {
	t.Helper()
	source, err := os.ReadFile(root + "/" + file)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(strings.Split(string(source), "\n"), func(s string) bool { return strings.HasSuffix(s, "// "+comment) })
	if at < 0 {
		t.Fatalf("%s has no line that ends with // %s", file, comment)
	}
	return at + 1
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
	registers := "what cpu vector error mode rip rsp rflags cr2 cr3 rax rbx rcx rdx rsi rdi rbp r8 r9 r10 r11 r12 r13 r14 r15 context thread code"
	for key := range strings.FieldsSeq(registers) {
		if seen[key] != 1 {
			t.Errorf("%s is in the record %d times, want once", key, seen[key])
		}
	}
	if seen["place"] != 1 || seen["caller"] == 0 && !strings.Contains(value(r.Crash, "place"), "mode program") {
		t.Errorf("the record has %d places and %d callers of the other CPU", seen["place"], seen["caller"])
	}
	if seen["handle"] != 2 || seen["frame"] < 3 || seen["stack"] == 0 || seen["trace"] == 0 {
		t.Errorf("the record has %d handles (of 2 CPUs), %d frames, %d lines of stack, %d trace records",
			seen["handle"], seen["frame"], seen["stack"], seen["trace"])
	}
}
