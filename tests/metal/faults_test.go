package metal

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"hearth/qemu"
)

// failing is a machine whose image fails as the kernel command line asks.
func failing(t *testing.T, cpus int, line string, args ...string) qemu.Machine {
	t.Helper()
	m := machine(cpus, 1, 1)
	m.Kernel = built(t, "ends", faultsTag).Image
	m.Append = line + " -- " + strings.Join(args, " ")
	return m
}

// TestProgramGoesOnUnderFaults has two threads hand a token to and fro, by futex,
// sleep and join, while something goes wrong all the time: it takes longer, and
// everything arrives.
func TestProgramGoesOnUnderFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"late-kick", "late-alarm", "spurious-wake", "late-kick,late-alarm,spurious-wake"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			r := run(t, failing(t, 4, "fault="+fault, "work"))
			if err := r.Err(); err != nil || !said(r, "<nil> <nil> token 400") {
				t.Errorf("the threads did not finish their rounds: %v", err)
			}
		})
	}
}

// TestLateAlarmIsLate shows that the fault above is one.
func TestLateAlarmIsLate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, says string }{{"", "late 0 of 10"}, {"fault=late-alarm", "late 10 of 10"}} {
		m := failing(t, 1, test.line, "naps")
		m.ICount = true
		if r := run(t, m); r.Err() != nil || !said(r, test.says) {
			t.Errorf("%q does not say %q: %v", test.line, test.says, r.Err())
		}
	}
}

func TestShortageEndsWhoNeedsMoreAndNobodyElse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args string
		code int
		says string
	}{
		{"work", 0, "<nil> <nil> token 400"},
		{"eat 100", 137, "hearth: error: out of memory: the program uses "},
	} {
		r := run(t, failing(t, 2, "fault=out-of-memory", test.args))
		if r.Code != test.code || !said(r, test.says) || said(r, "ate") {
			t.Errorf("%s: code %d, want %d and %q", test.args, r.Code, test.code, test.says)
		}
	}
	if r := run(t, failing(t, 2, "", "eat 100")); r.Err() != nil || !said(r, "ate 100 MiB") {
		t.Errorf("with enough memory: %v", r.Err())
	}
}

func TestFullTableIsToldAndTheProgramGoesOn(t *testing.T) {
	t.Parallel()
	r := run(t, failing(t, 2, "fault=full-table", "fill"))
	if err := r.Err(); err != nil || !said(r, "16 threads, then: sys: spawn: all 4096 threads are in use; join those that ended, EAGAIN true") {
		t.Errorf("the 17th spawn was not refused, or the program did not go on: %v", err)
	}
}

func TestSilentCPUIsReportedAndLeftOut(t *testing.T) {
	t.Parallel()
	r := run(t, failing(t, 3, "fault=silent-ap", "work"))
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"hearth: cpu with APIC id 2 stayed silent and is left out", "hearth: cpus 3 online 2 llcs 1 cores 2 ", "token 400"} {
		if !said(r, text) {
			t.Errorf("the console does not say %q", text)
		}
	}
}

// TestStalledCPUIsNamedWithItsPlace stops a CPU with interrupts off, in the kernel
// and in a program. The one that watches it ends the machine.
func TestStalledCPUIsNamedWithItsPlace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, line, args string
		stalled          string // the CPU, "" for any
		function, file   string
		mark             string // in the file
	}{
		{"kernel", "fault=stalled-cpu watchdog=1", "hang", "2", "hearth/kernel.stall", "kernel/inject.go", "stalled"},
		{"program", "watchdog=1", "closed", `\d`, "main.stopInterrupts", "tests/metal/guest/ends/waits_amd64.s", "closed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := failing(t, 3, test.line, test.args)
			m.Deadline = time.Minute
			r := run(t, m)
			if r.Outcome != qemu.Crash {
				t.Fatalf("outcome %v, want crash", r.Outcome)
			}
			what := regexp.MustCompile(`^cpu (` + test.stalled + `) stalled: `).FindStringSubmatch(value(r.Crash, "what"))
			if what == nil {
				t.Fatalf("what happened: %q", value(r.Crash, "what"))
			}
			line := lineOf(t, test.file, "stands: "+test.mark)
			place := fmt.Sprintf(`(?m)^crash: place %s vector 2 mode %s .* %s hearth/%s:(%d|%d)\b`,
				what[1], test.name, regexp.QuoteMeta(test.function), regexp.QuoteMeta(test.file), line, line+1)
			if explained := explain(t, r); !regexp.MustCompile(place).MatchString(explained) {
				t.Errorf("no line %s in\n%s", place, explained)
			}
			if n := strings.Count(strings.Join(r.Lines, "\n"), "hearth: crash begin"); n != 1 {
				t.Errorf("%d records, want 1", n)
			}
		})
	}
}

// TestLockThatNeverComesIsNamed lets a CPU wait for a lock that it holds itself.
func TestLockThatNeverComesIsNamed(t *testing.T) {
	t.Parallel()
	m := failing(t, 2, "watchdog=1", "provokeOn 1 20")
	m.Deadline = time.Minute
	r := run(t, m)
	if what, want := value(r.Crash, "what"), "cpu 1 has waited too long for a lock, or for another CPU to flush its TLB"; what != want {
		t.Errorf("outcome %v, what happened: %q, want %q", r.Outcome, what, want)
	}
	checkPlace(t, r, false, "hearth/kernel.provoke", "kernel/faults.go", "lock")
}

// TestNobodyIsTakenForStalled runs a program that keeps all CPUs busy without a call
// for many periods of a short watchdog, counted in the guest's own instructions. Of
// three CPUs QEMU leaves one without a turn for that long.
func TestNobodyIsTakenForStalled(t *testing.T) {
	t.Parallel()
	for _, cpus := range []int{2, 3} {
		t.Run(fmt.Sprint(cpus, " CPUs"), func(t *testing.T) {
			t.Parallel()
			m := failing(t, cpus, "watchdog=1", "spin", "12")
			m.ICount = true
			if r := run(t, m); r.Err() != nil || !said(r, "span for 12 tenths of a second on each CPU") {
				t.Errorf("%v", r.Err())
			}
		})
	}
}
