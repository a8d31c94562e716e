package metal

import (
	"regexp"
	"testing"
)

// abuseClaims are those of the guest abuse, in its order.
var abuseClaims = []string{
	"detached_threads_give_everything_back", "zombies_fill_the_table", "all_threads_alive_twice",
	"the_runtime_has_contexts_of_its_own", "ended_os_threads_give_everything_back", "memory_is_flat",
}

// TestThreadTableHoldsWhatItSaysAndGivesItBack fills the table in every way.
func TestThreadTableHoldsWhatItSaysAndGivesItBack(t *testing.T) {
	t.Parallel()
	m := machine(2, 2, 1)
	m.MemoryBytes = 1 << 30
	checkClaims(t, mustPass(t, m, "abuse"), abuseClaims)
}

// TestSpawnCostsTheSameHoweverManyThreadsLive compares medians in instructions.
func TestSpawnCostsTheSameHoweverManyThreadsLive(t *testing.T) {
	t.Parallel()
	r := mustPass(t, counted(machine(1, 1, 1)), "abuse", "cost")
	checkClaims(t, r, []string{"cost"})
	row := regexp.MustCompile(`^spawn (\d+) alive: median (\d+)$`)
	cost := map[string]int{}
	for _, line := range r.Lines {
		if match := row.FindStringSubmatch(line); match != nil {
			cost[match[1]] = atoi(match[2])
		}
	}
	few, many := cost["4"], cost["4000"]
	t.Logf("instructions of a spawn: %d with 4 threads alive, %d with 4000", few, many)
	if few <= 0 || many*100 > few*105 {
		t.Errorf("a spawn takes %d instructions with 4000 threads alive, %d with 4", many, few)
	}
}
