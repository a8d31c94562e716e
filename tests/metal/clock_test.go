package metal

import (
	"flag"
	"fmt"
	"regexp"
	"testing"

	"hearth/qemu"
)

// clockReads is how often each CPU reads the clock: some seconds' worth in CI.
var clockReads = flag.Int("clock-reads", 150_000, "clock reads of each CPU in the clock tests")

var clockClaims = []string{
	"both_ways_tell_one_time", "time_of_day_agrees", "reads_make_no_call", "time_never_goes_back",
	"sleeps_never_early_none_lost", "offsets_are_told",
}

func readsArgument() string { return fmt.Sprintf("reads=%d", *clockReads) }

// TestClockIsOneOnAllCPUs reads it on every CPU with and without a call, and at
// both ends of sleeps.
func TestClockIsOneOnAllCPUs(t *testing.T) {
	t.Parallel()
	for _, m := range []qemu.Machine{machine(1, 1, 1), machine(2, 2, 1), machine(4, 2, 1)} {
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			r := mustPass(t, m, "clock", readsArgument())
			checkClaims(t, r, clockClaims)
			if !said(r, "clock: all agree true") || said(r, "hearth: the TSC of") {
				t.Error("TSCs that are one were put right")
			}
			logLines(t, r, "clock: ")
		})
	}
}

// logLines logs the lines that begin with a word.
func logLines(t *testing.T, r qemu.Result, prefix string) {
	for _, line := range r.Lines {
		if len(line) >= len(prefix) && line[:len(prefix)] == prefix {
			t.Log(line)
		}
	}
}

// TestClockReadCostsAFractionOfACall counts instructions. A read is the same for
// every caller, so the ratio to a call that only reads the clock is the claim.
func TestClockReadCostsAFractionOfACall(t *testing.T) {
	t.Parallel()
	m := counted(machine(4, 2, 1))
	r := mustPass(t, m, "clock", "reads=2000", "reads_make_no_call")
	checkClaims(t, r, []string{"reads_make_no_call"})
	cost := map[string]int{}
	for _, line := range r.Lines {
		if match := regexp.MustCompile(`^cost (\S+) (\d+)$`).FindStringSubmatch(line); match != nil {
			cost[match[1]] = atoi(match[2])
		}
	}
	t.Logf("seed %d: guest instructions: %v", m.Seed, cost)
	if cost["nanotime"] <= 0 || cost["nanotime"]*4 > cost["call"] || cost["time.Now"]*3 > cost["call"] {
		t.Errorf("instructions %v: a read without a call is to cost less than a fourth, one of both clocks than a third", cost)
	}
}

// faulty boots the guest clock with a TSC that is wrong on purpose, on the
// second of four CPUs. Instructions are counted: on a busy host two CPUs may not
// run at once for long, and how exactly an offset is known depends on that.
func faulty(t *testing.T, fault string, claims ...string) qemu.Result {
	t.Helper()
	m := counted(machine(4, 2, 1))
	m.Kernel, m.Append = built(t, "clock", faultsTag).Image, "fault="+fault+" -- reads=5000"
	for _, claim := range claims {
		m.Append += " " + claim
	}
	r := run(t, m)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	checkClaims(t, r, claims)
	return r
}

func TestTSCThatIsOffIsPutRight(t *testing.T) {
	t.Parallel()
	r := faulty(t, "tsc-offset", "both_ways_tell_one_time", "time_of_day_agrees", "time_never_goes_back", "sleeps_never_early_none_lost", "offsets_are_told")
	offset := regexp.MustCompile(`^hearth: the TSC of CPU 1 is (\d+) ticks ahead of the boot CPU's; that is put right to within (\d+), and clock reads make a system call$`)
	var ahead, within int
	for _, line := range r.Lines {
		if match := offset.FindStringSubmatch(line); match != nil {
			ahead, within = atoi(match[1]), atoi(match[2])
			t.Log(line)
		}
	}
	hz := int(megahertz(t, r) * 1e6)
	if within == 0 || ahead < hz-hz/1000 || ahead > hz+hz/1000 {
		t.Errorf("the console does not say that CPU 1 is a second, %d ticks, ahead", hz)
	}
	if !said(r, "clock: all agree false") {
		t.Error("programs are to make a call")
	}
}

func TestTSCThatDriftsIsLeftOut(t *testing.T) {
	t.Parallel()
	r := faulty(t, "tsc-drift", "both_ways_tell_one_time", "reads_make_no_call", "time_never_goes_back", "offsets_are_told")
	if !said(r, "hearth: cpu with APIC id 1 is left out: its TSC does not keep pace with the boot CPU's; it has changed by at least ") {
		t.Error("the console does not say which CPU is left out, and why")
	}
	if !said(r, " online 3 llcs 2 cores 3 ") || !said(r, "clock: all agree true") {
		t.Error("the other three CPUs are to go on as if it had not been there")
	}
}

// megahertz is the rate of the TSC that the kernel printed.
func megahertz(t *testing.T, r qemu.Result) (mhz float64) {
	t.Helper()
	for _, line := range r.Lines {
		if match := regexp.MustCompile(` tsc ([0-9.]+) MHz`).FindStringSubmatch(line); match != nil {
			if _, err := fmt.Sscan(match[1], &mhz); err != nil {
				t.Fatal(err)
			}
		}
	}
	return mhz
}
