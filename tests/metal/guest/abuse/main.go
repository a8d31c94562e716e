// Command abuse is the guest that fills the thread table: with threads that have
// ended and nobody joined, with threads that wait, with threads that nobody will
// join. It prints a line a claim, `claim NAME ok` or `claim NAME FAILED why`, and ends
// with code 1 if one failed. Arguments: the names of claims, by default those of the
// table; cost prints `spawn N alive: median M` besides.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	_ "hearth/kernel"
	"hearth/sys"
)

var claims = []struct {
	name  string
	check func() error
	asked bool // only if named
}{
	{"detached_threads_give_everything_back", detached, false},
	{"zombies_fill_the_table", zombies, false},
	{"all_threads_alive_twice", aliveTwice, false},
	{"the_runtime_has_contexts_of_its_own", contexts, false},
	{"ended_os_threads_give_everything_back", endOSThreads, false},
	{"memory_is_flat", memoryFlat, false},
	{"cost", cost, true},
}

func main() {
	debug.SetGCPercent(-1) // the heap stays small; what is measured are threads
	failed := false
	for _, c := range claims {
		chosen := slices.Contains(os.Args[1:], c.name)
		if !chosen && (c.asked || len(os.Args) > 1) {
			continue
		}
		if err := c.check(); err != nil {
			failed = true
			fmt.Println("claim", c.name, "FAILED", err)
			continue
		}
		fmt.Println("claim", c.name, "ok")
	}
	if failed {
		os.Exit(1)
	}
}

// in runs fn in a thread, which counts as one of all.
func in(fn func() error) error {
	var err error
	t, refused := sys.Spawn(func() { err = fn() })
	if refused != nil {
		return refused
	}
	if _, refused := t.Join(); refused != nil {
		return refused
	}
	return err
}
