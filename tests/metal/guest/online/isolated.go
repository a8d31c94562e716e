package main

import (
	"fmt"
	"sync/atomic"

	"hearth/sys"
)

// isolated starts many threads that ask for no CPU, none of which may come to one of
// those that were set apart, and one that asks for such a CPU.
func isolated(list string) error {
	apart, err := sys.ParseMask(list)
	if err != nil {
		return err
	}
	seen, err := where(nil, 4*sys.MaxCPUs/64)
	if err != nil || intersect(&seen, &apart) {
		return fmt.Errorf("threads without a mask ran on %v: %v", &seen, err)
	}
	seen, err = where(&apart, 1)
	if err != nil || !intersect(&seen, &apart) {
		return fmt.Errorf("a thread that asked for %v ran on %v: %v", &apart, &seen, err)
	}
	return nil
}

// where starts n threads at once, which compute for a while, and returns on which CPUs
// they saw themselves.
func where(mask *sys.Mask, n int) (seen sys.Mask, err error) {
	var on [sys.MaxCPUs]atomic.Bool
	var threads []sys.Thread
	for range n {
		t, err := sys.SpawnWith(sys.Options{Mask: mask}, func() {
			for range 20 {
				on[sys.CurrentCPU()].Store(true)
				(&worker{}).compute()
				sys.Yield()
			}
		})
		if err != nil {
			return seen, err
		}
		threads = append(threads, t)
	}
	for _, t := range threads {
		if _, err := t.Join(); err != nil {
			return seen, err
		}
	}
	for cpu := range on {
		if on[cpu].Load() {
			seen.Set(cpu)
		}
	}
	return seen, nil
}

func intersect(a, b *sys.Mask) bool {
	for cpu := a.First(); cpu >= 0; cpu = a.Next(cpu) {
		if b.Has(cpu) {
			return true
		}
	}
	return false
}
