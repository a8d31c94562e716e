// Guest mixed runs threads of every class at once on all CPUs while the collector stops
// the world again and again. What a more urgent thread waits for, a lock of the runtime
// or the stop of its world, may be held by a background thread that a strict order of
// classes would never let run. The argument is the number of rounds of each thread.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	_ "hearth/kernel"
	"hearth/sys"
)

// perClass is how many threads a class has for each CPU.
const perClass = 2

var sink [64]atomic.Pointer[[]byte]

func main() {
	rounds, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	online := sys.Online()
	n := perClass * online.Count()
	sys.RaiseProcs(3*n + 2)
	var threads []sys.Thread
	var done [3]atomic.Int32
	for i := range n {
		for class := sys.Fair; class <= sys.Background; class++ {
			t, err := sys.SpawnWith(sys.Options{Class: class}, func() {
				work(i, rounds)
				done[class].Add(1)
			})
			if err != nil {
				report("spawn", err)
			}
			threads = append(threads, t)
		}
	}
	for _, t := range threads {
		if _, err := t.Join(); err != nil {
			report("join", err)
		}
	}
	for class := range done {
		if got := done[class].Load(); int(got) != n {
			report("mixed", fmt.Errorf("%d of %d threads of class %d ended", got, n, class))
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println("collections", m.NumGC)
	report("mixed", nil)
}

// work computes, makes garbage, waits, gives way and every eighth round collects.
func work(i, rounds int) {
	var never uint32
	for round := range rounds {
		garbage := make([]byte, 64<<10)
		sink[i%len(sink)].Store(&garbage)
		for end := sys.Now() + 100*time.Microsecond; sys.Now() < end; {
		}
		switch round % 8 {
		case 2:
			sys.FutexWait(&never, 0, 50*time.Microsecond)
		case 5:
			sys.Yield()
		case 7:
			runtime.GC()
		}
	}
}

func report(claim string, err error) {
	if err != nil {
		fmt.Println("claim", claim, "FAILED", err)
		os.Exit(1)
	}
	fmt.Println("claim", claim, "ok")
}
