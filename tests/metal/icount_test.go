package metal

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"hearth/qemu"
)

// counted is a machine whose time is its instructions, one a nanosecond: the same
// run every time.
func counted(m qemu.Machine) qemu.Machine {
	m.ICount, m.Seed = true, 1
	return m
}

// TestTightLoopIsPreemptedWithin25ms stops the world against a loop on the last of
// four CPUs, half of the times within the bound, and on one, always. That a loop gives way by itself, when the runtime's monitor sees that
// another goroutine waits, is measured on one CPU: where there are more, QEMU lets
// the loop run on whenever another CPU pauses for a moment, up to 100 ms.
func TestTightLoopIsPreemptedWithin25ms(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		machine qemu.Machine
		claim   string
	}{
		{machine(4, 2, 1), "tight_loop_stopped"},
		{machine(1, 1, 1), "tight_loop_stopped"},
		{machine(1, 1, 1), "tight_loop_gives_way"},
	} {
		t.Run(test.claim+"_"+label(test.machine), func(t *testing.T) {
			t.Parallel()
			m := counted(test.machine)
			r := mustPass(t, m, "runtime", test.claim, "within=25ms")
			checkClaims(t, r, []string{test.claim})
			t.Logf("seed %d: %s", m.Seed, r.Lines[len(r.Lines)-2])
		})
	}
}

func TestCountedRunRepeatsByteForByte(t *testing.T) {
	t.Parallel()
	m := counted(machine(4, 2, 1))
	t.Logf("seed %d", m.Seed)
	var consoles [2][]string
	var traces [2][]byte
	for i := range consoles {
		m.TraceFile = filepath.Join(artefacts, []string{"first", "second"}[i]+".trace")
		r := mustPass(t, m, "runtime", "goroutines_under_gc", "nil_dereference_recovered", "sleep_never_early", "512_threads_twice")
		consoles[i] = r.Lines
		var err error
		if traces[i], err = os.ReadFile(m.TraceFile); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(consoles[0], consoles[1]) {
		t.Errorf("two consoles of one machine:\n%q\n%q", consoles[0], consoles[1])
	}
	if !bytes.Equal(traces[0], traces[1]) || len(traces[0]) < 1<<16 {
		t.Errorf("two traces of one machine differ, or hold next to nothing: %d and %d bytes", len(traces[0]), len(traces[1]))
	}
}

// TestInstructionsOfTheShortPaths reports what the paths cost that users compare;
// the bounds are wide and catch a path that has become another one.
func TestInstructionsOfTheShortPaths(t *testing.T) {
	t.Parallel()
	m := counted(machine(4, 2, 1))
	m.Verdict = true
	r := mustPass(t, m, wholeTree, "-scale", "0.2", "-run", "null_call|yield|spawn_join/near|futex_wake_to_run/near")
	row := regexp.MustCompile(`^Benchmark(\S+)-4\s+\d+\s+(\d+) ns/op`)
	found := map[string]string{}
	for _, line := range r.Lines {
		if match := row.FindStringSubmatch(line); match != nil {
			found[match[1]] = match[2]
		}
	}
	for name, most := range map[string]int{
		"Thread/null_call": 2_000, "Thread/yield": 5_000,
		"Thread/spawn_join/near": 100_000, "Wake/futex_wake_to_run/near": 50_000,
	} {
		n := atoi(found[name])
		t.Logf("seed %d: %s: %d guest instructions", m.Seed, name, n)
		if n <= 0 || n > most {
			t.Errorf("%s: %d guest instructions, want 1 to %d", name, n, most)
		}
	}
}
