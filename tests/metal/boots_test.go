package metal

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"hearth/qemu"
)

var boots = flag.Int("boots", 0, "boots at 4 CPUs, a quarter of it at each of 1, 2 and 8 (default 10, and 5 each)")

// TestEveryBootEndsWell boots the smallest guest over and over, since what goes
// wrong at a boot goes wrong rarely.
func TestEveryBootEndsWell(t *testing.T) {
	t.Parallel()
	for _, series := range []struct {
		machine qemu.Machine
		boots   int
	}{
		{machine(4, 2, 1), max(*boots, 10)},
		{machine(1, 1, 1), max(*boots/4, 5)},
		{machine(2, 2, 1), max(*boots/4, 5)},
		{machine(8, 2, 2), max(*boots/4, 5)},
	} {
		t.Run(label(series.machine), func(t *testing.T) {
			t.Parallel()
			m := series.machine
			m.Deadline = time.Minute
			m.Kernel = built(t, "hello", "").Image
			bootSeries(t, m, series.boots)
		})
	}
}

// bootSeries counts the ways in which boots end and names each that is not good.
func bootSeries(t *testing.T, m qemu.Machine, n int) {
	ends := map[qemu.Outcome]int{}
	var took []time.Duration
	for i := range n {
		r, err := launch(t.Context(), m)
		if err != nil {
			t.Fatalf("boot %d: %v\n%s", i, err, replay(t, m))
		}
		ends[r.Outcome]++
		took = append(took, r.Elapsed)
		if r.Outcome != qemu.Pass || !said(r, fmt.Sprintf("on %d CPUs", m.CPUs)) {
			file := save(fmt.Sprintf("%s.boot%d", t.Name(), i), r)
			t.Errorf("boot %d: %v; console in %s\n%s\n%s", i, r.Err(), file, replay(t, m), story(m, r))
		}
	}
	slices.Sort(took)
	t.Logf("%d boots: %d passed, %d hung, %d crashed, %d ended otherwise; median %v, longest %v",
		n, ends[qemu.Pass], ends[qemu.Hang], ends[qemu.Crash],
		n-ends[qemu.Pass]-ends[qemu.Hang]-ends[qemu.Crash], took[n/2], took[n-1])
}
