// Command entries is the guest that makes the kernel's entries as long as it can:
// thousands of waiters of one word, thousands of equal deadlines, thousands of
// watchers. It prints a line `entry COUNT LONGEST NAME` for every purpose that the
// kernel was entered for, the longest in nanoseconds, which are guest instructions
// where these are counted. Arguments: how many threads, then the loads to run, by
// default all.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"

	_ "hearth/kernel"
	"hearth/sys"
)

var loads = []struct {
	name string
	run  func(threads int) error
}{
	{"wake", wakeAll},
	{"requeue", requeueAll},
	{"deadline", oneDeadline},
	{"masks", changeMasks},
	{"timers", timers},
	{"events", events},
	{"collector", collector},
	{"carriers", endCarriers},
	{"console", console},
}

func main() {
	threads, chosen := 1000, []string(nil)
	if len(os.Args) > 1 {
		var err error
		if threads, err = strconv.Atoi(os.Args[1]); err != nil || threads < 2 || threads > sys.MaxThreads {
			fmt.Printf("%q: the number of threads was expected, 2 to %d\n", os.Args[1], sys.MaxThreads)
			os.Exit(3)
		}
		chosen = os.Args[2:]
	}
	for _, load := range loads {
		if len(chosen) > 0 && !slices.Contains(chosen, load.name) {
			continue
		}
		if err := load.run(threads); err != nil {
			fmt.Println("load", load.name, "FAILED", err)
			os.Exit(1)
		}
		fmt.Println("load", load.name, "ok")
	}
	if err := report(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func report() error {
	all, err := sys.ReadEntryLengths()
	if err != nil {
		return err
	}
	for _, l := range all {
		fmt.Println("entry", l.Count, l.Longest.Nanoseconds(), l.Name)
	}
	return nil
}
