package metal

import (
	"slices"
	"strings"
	"testing"

	"hearth/qemu"
)

// said reports whether a line of the console contains a text.
func said(r qemu.Result, text string) bool {
	return slices.ContainsFunc(r.Lines, func(line string) bool { return strings.Contains(line, text) })
}

// checkRefusal demands exit code 2 after one line that says exactly this, and
// nothing that looks like a crash.
func checkRefusal(t *testing.T, r qemu.Result, line string) {
	t.Helper()
	if r.Outcome != qemu.ProgramExit || r.Code != 2 {
		t.Errorf("outcome %v, exit code %d, want program exit with code 2", r.Outcome, r.Code)
	}
	errors := slices.DeleteFunc(slices.Clone(r.Lines), func(line string) bool { return !strings.Contains(line, "error") })
	if !slices.Equal(errors, []string{line}) {
		t.Errorf("refused with %q,\nwant %q", errors, line)
	}
	if said(r, "goroutine ") || said(r, "hello from") {
		t.Error("the program ran, or dumped its stacks")
	}
}

func TestUnusableCommandLineIsRefusedByNamingTheWord(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, line, refusal string }{
		{"unknown key", "traec=on", `unknown key "traec" on the kernel command line; known: env.NAME, fault, isolated, placement, poll, trace, watchdog; program arguments go after --`},
		{"unknown word", "trace=off verbose", `unknown key "verbose" on the kernel command line; known: env.NAME, fault, isolated, placement, poll, trace, watchdog; program arguments go after --`},
		{"bad value", "trace=maybe", `bad value in "trace=maybe" on the kernel command line; use trace=on or trace=off`},
		{"variable without a value", "env.GOGC", `bad variable "env.GOGC" on the kernel command line; use env.NAME=VALUE`},
		{"open quote", `env.A="b c`, `no closing quote in "env.A=b c" on the kernel command line; put a double quote at both ends`},
		{"fault of a release kernel", "fault=late-kick", `fault "late-kick" on the kernel command line: this kernel cannot fail on purpose; build it with -tags hearth_faults`},
		{"watchdog without a time", "watchdog=0", `bad value in "watchdog=0" on the kernel command line; use watchdog=on, watchdog=off or seconds, watchdog=1 to watchdog=3600`},
		{"isolated that is no list", "isolated=1,x", `bad value in "isolated=1,x" on the kernel command line; use CPU ids below 1024 and ranges, isolated=1,4-7`},
		{"isolated CPU that is not there", "isolated=1-2", `isolated= names CPU 2, which is not there; this machine's are 0-1`},
		{"no CPU left", "isolated=0-1", `isolated= leaves no CPU for threads that ask for none`},
		{"poll without a unit", "poll=20", `bad value in "poll=20" on the kernel command line; use poll=off or microseconds, poll=1us to poll=10000us`},
		{"too many arguments", "-- " + strings.Repeat("a ", 64) + "b", `no room for "b" on the kernel command line; at most 64 program arguments`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := machine(2, 1, 1)
			m.Kernel, m.Append = built(t, "hello", "").Image, test.line
			checkRefusal(t, run(t, m), "hearth: error: "+test.refusal)
		})
	}
}

// TestCPUBelowTheFloorIsRefusedByNamingWhatItLacks gives the model behind the
// machine's own, so that the check on the host does not see it.
func TestCPUBelowTheFloorIsRefusedByNamingWhatItLacks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ model, lacks string }{
		{"Nehalem", "FSGSBASE"},
		{"qemu64", "FSGSBASE"},
		{"EPYC-Rome,-xsave", "XSAVE"},
		{"EPYC-Rome,-nx", "NX"},
		{"EPYC-Rome,-rdtscp", "RDTSCP"},
	} {
		t.Run(test.model, func(t *testing.T) {
			t.Parallel()
			m := machine(2, 1, 1)
			m.Kernel, m.Extra = built(t, "hello", "").Image, []string{"-cpu", test.model}
			checkRefusal(t, run(t, m), "hearth: error: this CPU lacks "+test.lacks+
				"; Hearth needs FSGSBASE, XSAVE, NX and RDTSCP: use a newer CPU, in QEMU -cpu EPYC-Rome or max")
		})
	}
}
