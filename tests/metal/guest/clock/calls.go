package main

import (
	"fmt"
	"time"

	"hearth/sys"
)

// noCalls counts the system calls that clock reads make, and those of a spawn and
// join, in which the runtime reads the clock some times.
func noCalls() error {
	const times = 200
	reading, err := calls(func() {
		for range times {
			_ = time.Now()
			_ = sys.Now()
		}
	})
	if err != nil {
		return err
	}
	spawning, err := calls(func() {
		for range times {
			t, err := sys.Spawn(func() {})
			if err == nil {
				t.Join()
			}
		}
	})
	if err != nil {
		return err
	}
	fmt.Println("clock: calls of", times, "reads:", reading, "and of", times, "spawns and joins:", spawning)
	cost("call", func() { ask(monotonic) })
	cost("nanotime", func() { _ = sys.Now() })
	cost("time.Now", func() { _ = time.Now() })
	if reading != 0 || spawning != 0 {
		return fmt.Errorf("%d reads made %d clock_gettime calls, %d spawns and joins %d", times, reading, times, spawning)
	}
	return nil
}

// calls returns how many clock_gettime calls the program makes during f.
func calls(f func()) (uint64, error) {
	before, err := clockCalls()
	if err != nil {
		return 0, err
	}
	f()
	after, err := clockCalls()
	return after - before, err
}

func clockCalls() (uint64, error) {
	all, err := sys.ReadEntryLengths()
	for _, l := range all {
		if l.Name == "clock_gettime" {
			return l.Count, err
		}
	}
	return 0, err
}

// cost prints what a call of f takes: the least of many, since others run, too.
func cost(name string, f func()) {
	const times = 100
	least := time.Hour
	for range 20 {
		start := sys.Now()
		for range times {
			f()
		}
		least = min(least, (sys.Now()-start)/times)
	}
	fmt.Println("cost", name, int64(least))
}
