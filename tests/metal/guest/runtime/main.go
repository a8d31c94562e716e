// Command runtime is the guest that asks the Go runtime for everything that the
// kernel promises it: goroutines under GC, asynchronous preemption, recovered
// faults, sleeps, extended state, and threads. It prints a line a claim,
// `claim NAME ok` or `claim NAME FAILED why`, and ends with code 1 if one failed.
package main

import (
	"fmt"
	"os"

	_ "hearth/kernel"
)

// claims are checked in this order; each returns what it measured, for the log.
var claims = []struct {
	name  string
	check func() (string, error)
}{
	{"goroutines_under_gc", goroutinesUnderGC},
	{"freed_memory_is_zero", freedMemoryIsZero},
	{"tight_loop_preempted", tightLoopPreempted},
	{"nil_dereference_recovered", nilDereference},
	{"division_by_zero_recovered", divisionByZero},
	{"sleep_never_early", sleepNeverEarly},
	{"sha256_right", sha256Right},
	{"vectors_survive_preemption", vectorsSurvive},
	{"mxcsr_survives_switch", mxcsrSurvives},
	{"512_threads_twice", threadsTwice},
}

func main() {
	failed := 0
	for _, c := range claims {
		if len(os.Args) > 1 && !selected(c.name) {
			continue
		}
		measured, err := c.check()
		if err != nil {
			failed++
			fmt.Println("claim", c.name, "FAILED", err)
			continue
		}
		fmt.Println("claim", c.name, "ok", measured)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func selected(name string) bool {
	for _, arg := range os.Args[1:] {
		if arg == name {
			return true
		}
	}
	return false
}
