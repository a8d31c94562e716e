// Command races is the guest that lets what may happen at the same moment happen at
// the same moment, over and over: wakes against CPUs going to sleep, exits against
// joins, timeouts against wakes, mask changes against everything, signals against
// the returns of system calls, ends of OS threads against their starts, unmapping
// against access. Each race counts what it did and what went wrong, and says so in
// a line `race NAME counter=n …` and a line `claim NAME ok` or `claim NAME FAILED
// why`; the exit code is 1 if one failed.
//
// Arguments: the name of a race, `each` for all of them one after the other, or `all`
// for all at once; `for=DURATION` for how long a race goes on, or `rounds=N`.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "hearth/kernel"
	"hearth/sys"
)

var races = []struct {
	name string
	run  func(*contest) error
}{
	{"halt_wake", haltWake},
	{"spawn_exit_join", spawnExitJoin},
	{"futex", futexes},
	{"masks", masks},
	{"signals", signals},
	{"clone_exit", cloneExit},
	{"munmap_access", munmapAccess},
}

func main() {
	which, spare, rounds, err := arguments(os.Args[1:])
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	sys.RaiseProcs(8*len(races) + cpus) // nobody waits for a P: what races is the kernel
	var wg sync.WaitGroup
	var failed atomic.Bool
	for _, r := range races {
		if which != r.name && which != "each" && which != "all" {
			continue
		}
		c := &contest{name: r.name, spare: spare, rounds: rounds, alone: which != "all"}
		wg.Go(func() {
			if !c.hold(r.run) {
				failed.Store(true)
			}
		})
		if c.alone {
			wg.Wait()
		}
	}
	wg.Wait()
	if failed.Load() {
		os.Exit(1)
	}
}

func arguments(words []string) (which string, spare time.Duration, rounds int, err error) {
	if len(words) == 0 {
		return "", 0, 0, fmt.Errorf("the name of a race, each or all was expected")
	}
	which, known := words[0], words[0] == "each" || words[0] == "all"
	for _, r := range races {
		known = known || r.name == which
	}
	if !known {
		return "", 0, 0, fmt.Errorf("there is no race %q", which)
	}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "for":
			spare, err = time.ParseDuration(value)
		case "rounds":
			rounds, err = strconv.Atoi(value)
		default:
			err = fmt.Errorf("%q: for=DURATION or rounds=N was expected", word)
		}
		if err != nil {
			return "", 0, 0, err
		}
	}
	if spare <= 0 && rounds <= 0 {
		err = fmt.Errorf("for=DURATION or rounds=N was expected")
	}
	return which, spare, rounds, err
}

// cpus is how many CPUs there are.
var cpus = runtime.NumCPU()
