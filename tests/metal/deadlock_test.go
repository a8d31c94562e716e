package metal

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"hearth/qemu"
)

// TestDeadlockIsReportedWithWhoWaitsOnWhat boots guests whose threads wait for each
// other, on counted instructions and not.
func TestDeadlockIsReportedWithWhoWaitsOnWhat(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, args string
		waits      []string // one thread each
	}{
		{"words", "words", []string{
			`^deadlock: thread \d+ "left" home \d+ on context \d+ waits on the futex at 0x[0-9a-f]{16}, which holds 11$`,
			`^deadlock: thread \d+ "right" home \d+ on context \d+ waits on the futex at 0x[0-9a-f]{16}, which holds 22$`,
			`^deadlock: a goroutine on context \d+ waits for the end of thread \d+$`,
		}},
		{"joins", "joins", []string{
			`^deadlock: thread \d+ "first" home \d+ on context \d+ waits for the end of thread \d+$`,
			`^deadlock: thread \d+ "second" home \d+ on context \d+ waits for the end of thread \d+$`,
		}},
		{"goroutine", "word 0", []string{
			`^deadlock: a goroutine, or an idle M of the Go runtime, on context \d+ waits on the futex at 0x[0-9a-f]{16}, which holds 4711$`,
		}},
		{"many", "crowd 100", []string{
			`^deadlock: and 36 more$`,
			`^deadlock: besides, 5 carriers wait in the reserve, \d+ contexts without a thread on futexes, \d+ for events$`,
		}},
	} {
		for _, m := range []qemu.Machine{machine(1, 1, 1), machine(4, 1, 1)} {
			for _, m.ICount = range []bool{false, true} {
				if m.ICount != (m.CPUs == 1) && test.name != "words" {
					continue // all four for one are enough
				}
				t.Run(test.name+"/"+strings.NewReplacer(" ", "", ",", "_").Replace(m.String()), func(t *testing.T) {
					t.Parallel()
					m.Deadline = time.Minute
					r := boot(t, m, "ends", strings.Fields(test.args)...)
					if r.Outcome != qemu.Deadlock || r.Status != 65 {
						t.Fatalf("outcome %v, status %d, want deadlock, 65", r.Outcome, r.Status)
					}
					for _, pattern := range test.waits {
						if n := matches(r.Deadlock, pattern); n != 1 {
							t.Errorf("%d lines %s, want 1", n, pattern)
						}
					}
					if len(r.Deadlock) > 70 || r.LastLine() != "hearth: deadlock end" {
						t.Errorf("%d lines, then %q", len(r.Deadlock), r.LastLine())
					}
				})
			}
		}
	}
}

func matches(lines []string, pattern string) (n int) {
	re := regexp.MustCompile(pattern)
	for _, line := range lines {
		if re.MatchString(line) {
			n++
		}
	}
	return n
}

// TestWhoSleepsOrComputesIsInNoDeadlock runs, for longer than it takes to find one,
// programs in which all threads wait for one that sleeps, computes, or sleeps again
// and again.
func TestWhoSleepsOrComputesIsInNoDeadlock(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"asleep 3", "dozes 30", "timer 3"} {
		for _, cpus := range []int{1, 2} {
			t.Run(strings.ReplaceAll(args, " ", "_")+"_"+label(machine(cpus, 1, 1)), func(t *testing.T) {
				t.Parallel()
				m := machine(cpus, 1, 1)
				m.ICount = true
				r := boot(t, m, "ends", strings.Fields(args)...)
				if err := r.Err(); err != nil || !said(r, "woke") {
					t.Errorf("%v", err)
				}
			})
		}
	}
}
