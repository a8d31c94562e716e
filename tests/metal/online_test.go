package metal

import (
	"flag"
	"strconv"
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
