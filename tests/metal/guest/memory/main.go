// Command memory is the guest that holds the kernel to what it promises of memory
// beyond single calls: that nothing leaks, that large pages are not seen but in the
// counts, that no CPU uses a page that is gone, that no call runs long. Arguments are
// names of claims, by default all of the first list, and NAME=NUMBER settings. It
// prints a line a claim, `claim NAME ok` or `claim NAME FAILED why`, then a line
// `entry COUNT LONGEST NAME` for each purpose that the kernel was entered for.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	_ "hearth/kernel"
	"hearth/sys"
)

type claim struct {
	name  string
	check func() (detail string, err error)
}

var claims = []claim{
	{"fresh_pages_are_zero", freshPages},
	{"large_pages_come_where_they_fit", largePages},
	{"parts_of_large_pages_change", partsOfLarge},
	{"protection_goes_and_comes_back", protectionComesBack},
	{"tables_go_when_empty", tablesGo},
	{"excess_is_refused", excessRefused},
	{"regions_run_out_and_come_back", regionsRunOut},
	{"spawn_and_join_leave_nothing", spawnLeavesNothing},
	{"heap_leaves_nothing", heapLeavesNothing},
}

// others run only when they are asked for.
var others = []claim{
	{"gibibyte_comes_and_goes", gibibyte},
	{"unmapped_is_gone_at_once", races},
	{"long_calls_are_short_entries", longCalls},
	{"touch_64_MiB", touch64},
	{"use_it_all", useItAll},
	{"buffer_in_nothing", bufferInNothing},
	{"clone_in_nothing_is_answered", cloneInNothing},
	{"write_text", writeText},
	{"write_constant", writeConstant},
	{"run_heap", runHeap},
	{"run_data", runStatic},
	{"read_page_0", readPageZero},
	{"read_hole", readHole},
}

// settings are numbers that a test may set.
var settings = map[string]int{
	"rounds": 20, // of what repeats
	"large":  1,  // 0: the machine has too little memory for large pages
}

func main() {
	chosen := claims
	for _, arg := range os.Args[1:] {
		if name, number, ok := strings.Cut(arg, "="); ok {
			n, err := strconv.Atoi(number)
			if _, known := settings[name]; !known || err != nil {
				fmt.Printf("%q is no setting\n", arg)
				os.Exit(3)
			}
			settings[name] = n
		}
	}
	names := slices.DeleteFunc(slices.Clone(os.Args[1:]), func(s string) bool { return strings.Contains(s, "=") })
	if len(names) > 0 {
		chosen = slices.DeleteFunc(slices.Concat(claims, others), func(c claim) bool { return !slices.Contains(names, c.name) })
	}
	failed := len(chosen) < len(names)
	for _, c := range chosen {
		detail, err := c.check()
		if err != nil {
			failed = true
			fmt.Println("claim", c.name, "FAILED", err)
			continue
		}
		fmt.Println("claim", c.name, "ok", detail)
	}
	if err := report(); err != nil || failed {
		fmt.Println(err)
		os.Exit(1)
	}
}

func report() error {
	all, err := sys.ReadEntryLengths()
	for _, l := range all {
		fmt.Println("entry", l.Count, l.Longest.Nanoseconds(), l.Name)
	}
	return err
}

// use returns how memory is used.
func use() sys.Memory {
	m, err := sys.ReadMemory()
	if err != nil {
		panic(err)
	}
	return m
}
