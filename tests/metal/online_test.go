package metal

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

var onlineRounds = flag.Int("online-rounds", 30, "how often CPUs go offline and come back")

// TestCPUsGoOfflineAndComeBack takes CPUs away from threads that run and wait on all
// of them.
func TestCPUsGoOfflineAndComeBack(t *testing.T) {
	t.Parallel()
	r := mustPass(t, machine(4, 2, 1), "online", strconv.Itoa(*onlineRounds))
	checkClaims(t, r, []string{"refusals", "online"})
}

// TestIsolatedCPUsAreLeftAlone sets CPUs apart on the kernel's command line.
func TestIsolatedCPUsAreLeftAlone(t *testing.T) {
	t.Parallel()
	m := machine(4, 2, 1)
	m.Append = "isolated=1,3"
	checkClaims(t, mustPass(t, m, "online", "isolated", "{1,3}"), []string{"isolated"})
}

// TestAWakeOfAPollingCPUTakesNoKick lets two CPUs wake each other, without polling and
// with a budget beyond the length of a turn.
func TestAWakeOfAPollingCPUTakesNoKick(t *testing.T) {
	t.Parallel()
	for line, polls := range map[string]bool{"poll=off": false, "poll=10000us": true} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			m := machine(2, 1, 1)
			m.Append = line
			// A thread that finds its word set before it waits takes no wake: that is so of
			// some turns on an idle host and of more on a busy one.
			r := mustPass(t, m, "online", "exchange", "1000")
			checkClaims(t, r, []string{"exchange"})
			var wakes, kicks int
			for _, line := range r.Lines {
				if strings.HasPrefix(line, "exchange ") {
					fmt.Sscanf(line, "exchange wakes=%d kicks=%d", &wakes, &kicks)
				}
			}
			t.Logf("%d wakes, %d kicks", wakes, kicks)
			if wakes < 200 || polls && kicks > wakes/4 || !polls && kicks < wakes/3 {
				t.Errorf("%d wakes took %d kicks", wakes, kicks)
			}
		})
	}
}
