package main

import (
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"hearth/sys"
)

// threadsTwice spawns 512 threads that are all alive at once, lets them go and
// joins them, twice over.
func threadsTwice() (string, error) {
	const count = 512
	defer sys.RaiseProcs(64)()
	for round := range 2 {
		var ran atomic.Int64
		var gate atomic.Uint32
		word := (*uint32)(unsafe.Pointer(&gate))
		threads := make([]sys.Thread, count)
		for i := range threads {
			t, err := sys.Spawn(func() {
				for gate.Load() == 0 {
					sys.FutexWait(word, 0, time.Minute)
				}
				ran.Add(1)
			})
			if err != nil {
				return "", fmt.Errorf("round %d: thread %d: %w", round, i, err)
			}
			threads[i] = t
		}
		gate.Store(1)
		sys.FutexWake(word, count)
		for i, t := range threads {
			if _, err := t.Join(); err != nil {
				return "", fmt.Errorf("round %d: join %d: %w", round, i, err)
			}
		}
		if ran.Load() != count {
			return "", fmt.Errorf("round %d: %d of %d threads ran", round, ran.Load(), count)
		}
	}
	return fmt.Sprint(sys.Carriers(), " carriers"), nil
}
