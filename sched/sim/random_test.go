package sim

import (
	"flag"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
)

var runs = flag.Int("runs", 3000, "how many seeds the random machines get")

// many runs the scenario of each seed from 0 to n-1 on all CPUs of the host and hands
// the outcomes to add, one at a time. It returns the first seed's error.
func many(n int, run func(seed uint64) (*Outcome, error), add func(*Outcome)) (first uint64, err error) {
	var lock sync.Mutex
	var workers sync.WaitGroup
	next := uint64(0)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				lock.Lock()
				seed := next
				next++
				stop := err != nil
				lock.Unlock()
				if stop || seed >= uint64(n) {
					return
				}
				out, failed := run(seed)
				lock.Lock()
				if failed != nil && (err == nil || seed < first) {
					first, err = seed, failed
				}
				if failed == nil {
					add(out)
				}
				lock.Unlock()
			}
		})
	}
	workers.Wait()
	return first, err
}

func TestInvariantsHoldOnRandomMachines(t *testing.T) {
	if *oneSeed >= 0 {
		if out, err := Random(uint64(*oneSeed)).Run(Options{Seed: uint64(*oneSeed)}); err != nil {
			t.Fatalf("%v\n%s\n%s", err, Random(uint64(*oneSeed)), out.Bytes())
		}
		return
	}
	began, total, steps, gaps := time.Now(), map[string]int{}, 0, gap{}
	seed, err := many(*runs, func(seed uint64) (*Outcome, error) {
		return Random(seed).Run(Options{Seed: seed})
	}, func(out *Outcome) {
		steps += out.Steps
		gaps.add(out)
		sum(total, out.Reach)
	})
	if err != nil {
		t.Fatalf("%v\nrepeat: go test ./sched/sim -run '%s' -seed %d", err, pattern(t.Name()), seed)
	}
	for name, n := range total {
		if n == 0 {
			t.Errorf("no run put %s to the test", name)
		}
	}
	if gaps.mean() > meanGap {
		t.Errorf("placements are %.3f %% worse than the best on the average, want at most %.0f %%", 100*gaps.mean(), 100*meanGap)
	}
	if gaps.worst > worstGap {
		t.Errorf("a placement of seed %d is %.1f %% worse than the best, want at most %.0f %%", gaps.seed, 100*gaps.worst, 100*worstGap)
	}
	t.Logf("%d seeds over %d machines, %d steps, %v; %s; reach %v", *runs, len(topologies), steps, time.Since(began).Round(time.Millisecond), &gaps, total)
}

func TestEveryMachineOfTheCollectionRuns(t *testing.T) {
	if len(topologies) < 30 {
		t.Errorf("%d machines, want 30", len(topologies))
	}
	for i, n := range topologies {
		sc := machineOf(i)
		if (sc.Topology.Count > 16) != (i >= small) {
			t.Errorf("%s: %d CPUs, the first %d have at most 16", n.Name, sc.Topology.Count, small)
		}
		sc.Main = []Op{Spawn("a", Run(time.Millisecond)), Spawn("b", Block()), Wake("b"), Join("a"), Join("b")}
		if _, err := sc.Run(Options{Seed: 1}); err != nil {
			t.Errorf("%s: %v", n.Name, err)
		}
	}
}

// meanGap and worstGap bound how much worse than the best placements may be, on the
// average and each.
const meanGap, worstGap = 0.01, 0.05

// gap sums up how far placements are from the best ones.
type gap struct {
	n     int
	sum   float64
	worst float64
	seed  uint64 // of the worst
}

func (g *gap) add(out *Outcome) {
	g.n += out.Gaps
	g.sum += out.GapSum
	if out.GapWorst > g.worst {
		g.worst, g.seed = out.GapWorst, out.Seed
	}
}

func (g *gap) mean() float64 { return g.sum / float64(max(g.n, 1)) }

func (g *gap) String() string {
	return fmt.Sprintf("gap to the best of %d placements: mean %.4f %%, worst %.1f %% (seed %d)", g.n, 100*g.mean(), 100*g.worst, g.seed)
}
