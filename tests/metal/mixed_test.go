package metal

import (
	"testing"
	"time"
)

// TestAllClassesEndWhileTheCollectorStopsTheWorld is about the shares of bands: real-time
// and fair threads spin in the runtime on what a background thread holds.
func TestAllClassesEndWhileTheCollectorStopsTheWorld(t *testing.T) {
	t.Parallel()
	for name, cpus := range map[string]int{"one CPU": 1, "two CPUs": 2, "four CPUs": 4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machine(cpus, 1, 1)
			m.Deadline = 40 * time.Second
			checkClaims(t, mustPass(t, m, "mixed", "32"), []string{"mixed"})
		})
	}
}
