// Command runtime is the guest that asks the Go runtime for everything that the
// kernel promises it: goroutines under GC, asynchronous preemption, recovered
// faults, sleeps, extended state, and threads. It prints a line a claim,
// `claim NAME ok` or `claim NAME FAILED why`, and ends with code 1 if one failed.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	_ "hearth/kernel"
)

// claims are checked in this order; each returns what it measured, for the log.
var claims = []struct {
	name  string
	check func() (string, error)
}{
	{"goroutines_under_gc", goroutinesUnderGC},
	{"freed_memory_is_zero", freedMemoryIsZero},
	{"tight_loop_stopped", tightLoopStopped},
	{"tight_loop_gives_way", tightLoopGivesWay},
	{"nil_dereference_recovered", nilDereference},
	{"division_by_zero_recovered", divisionByZero},
	{"sleep_never_early", sleepNeverEarly},
	{"sha256_right", sha256Right},
	{"vectors_survive_preemption", vectorsSurvive},
	{"mxcsr_survives_switch", mxcsrSurvives},
	{"512_threads_twice", threadsTwice},
}

// within bounds the waits for a tight loop, 0: does not. It is the argument
// within=DURATION, of use where time is counted instructions.
var within time.Duration

func main() {
	names, err := arguments(os.Args[1:])
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(2)
	}
	failed := 0
	for _, c := range claims {
		if len(names) > 0 && !slices.Contains(names, c.name) {
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

// arguments returns the claims that are named; none means all.
func arguments(args []string) (names []string, err error) {
	for _, arg := range args {
		bound, ok := strings.CutPrefix(arg, "within=")
		if !ok {
			names = append(names, arg)
		} else if within, err = time.ParseDuration(bound); err != nil {
			return nil, err
		}
	}
	return names, nil
}
