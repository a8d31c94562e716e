package metal

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"hearth/qemu"
)

var boots = flag.Int("boots", 0, "boots at 4 CPUs, and 3 for each 10 of them spread over 1 to 16 CPUs (default 10, and one each)")

// TestEveryBootEndsWell boots the smallest guest over and over, since what goes
// wrong at a boot goes wrong rarely: at 4 CPUs, and at every number up to 16, the
// uneven ones in one LLC domain.
func TestEveryBootEndsWell(t *testing.T) {
	t.Parallel()
	const most = 16
	bootsOf := map[int]int{4: max(*boots, 10)}
	for n := range max(*boots*3/10, most) {
		bootsOf[n%most+1]++
	}
	for cpus := 1; cpus <= most; cpus++ {
		m := machine(cpus, 1+(cpus+1)%2, 1)
		if cpus%8 == 0 {
			m.SMT = 2
		}
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			m.Kernel = built(t, "hello", "").Image
			bootSeries(t, m, bootsOf[cpus])
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
