// Command clock is the guest that reads the clock from everywhere: on every CPU,
// with and without a system call, and at both ends of sleeps. It prints a line a
// claim, `claim NAME ok` or `claim NAME FAILED why`, and ends with code 1 if one
// failed. Arguments: reads=N, clock reads of each CPU; rounds=N, rounds of sleeps;
// names of claims, to make only these.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	_ "hearth/kernel"
)

var (
	reads  = 150_000
	rounds = 1
)

var claims = []struct {
	name  string
	check func() error
}{
	{"both_ways_tell_one_time", bothWays},
	{"time_of_day_agrees", timeOfDay},
	{"reads_make_no_call", noCalls},
	{"time_never_goes_back", neverBack},
	{"sleeps_never_early_none_lost", sleeps},
	{"offsets_are_told", offsets},
}

func main() {
	var chosen []string
	for _, arg := range os.Args[1:] {
		name, value, found := strings.Cut(arg, "=")
		n, err := strconv.Atoi(value)
		switch {
		case !found:
			chosen = append(chosen, arg)
		case err == nil && name == "reads":
			reads = n
		case err == nil && name == "rounds":
			rounds = n
		default:
			fmt.Fprintf(os.Stderr, "%q is neither reads=N nor rounds=N nor a claim's name\n", arg)
			os.Exit(2)
		}
	}
	failed := 0
	for _, c := range claims {
		if len(chosen) > 0 && !slices.Contains(chosen, c.name) {
			continue
		}
		if err := c.check(); err != nil {
			failed++
			fmt.Println("claim", c.name, "FAILED", err)
			continue
		}
		fmt.Println("claim", c.name, "ok")
	}
	if failed > 0 {
		os.Exit(1)
	}
}
