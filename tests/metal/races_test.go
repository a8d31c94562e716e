package metal

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/qemu"
)

var stress = flag.Duration("stress", 0, "how long each race goes on, on each machine; default: a second")

// raceNames are those of the guest races, in its order.
var raceNames = []string{
	"halt_wake", "spawn_exit_join", "futex", "masks", "signals", "clone_exit", "munmap_access",
}

// raced are the machines of the races: one CPU has none.
var raced = []qemu.Machine{machine(2, 2, 1), machine(4, 2, 1)}

// TestNothingIsLostInARace holds every race on each machine: for a second each, one
// after the other, or with -stress each in a machine of its own, and all at once.
func TestNothingIsLostInARace(t *testing.T) {
	t.Parallel()
	which := []string{"each"}
	if *stress > 0 {
		which = append(slices.Clone(raceNames), "all")
	}
	for _, m := range raced {
		for _, name := range which {
			t.Run(label(m)+"/"+name, func(t *testing.T) {
				t.Parallel()
				race(t, m, "", name, "for="+max(*stress, time.Second).String())
			})
		}
	}
}

// TestNoWakeIsLostToAHalt wakes a CPU over and over as it goes to sleep without an
// alarm: a wake that is lost there stays lost.
func TestNoWakeIsLostToAHalt(t *testing.T) {
	t.Parallel()
	rounds := 60_000
	if *stress > 0 {
		rounds = 300_000
	}
	for _, m := range raced {
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			m.Append = "watchdog=off"
			r := race(t, m, "", "halt_wake", fmt.Sprintf("rounds=%d", rounds))
			if n := counterOf(r, "halt_wake", "asleep"); n < rounds/2 {
				t.Errorf("the other CPU slept, or nearly did, in %d of %d rounds", n, rounds)
			}
		})
	}
}

// TestRacesRepeatByInstructions holds the races where instructions are counted: each
// run is the same, so what goes wrong there goes wrong again.
func TestRacesRepeatByInstructions(t *testing.T) {
	t.Parallel()
	var consoles [2][]string
	for i := range consoles {
		consoles[i] = race(t, counted(machine(2, 2, 1)), "", "each", "rounds=6").Lines
	}
	if !slices.Equal(consoles[0], consoles[1]) {
		t.Errorf("two consoles of one machine:\n%s\n\n%s", strings.Join(consoles[0], "\n"), strings.Join(consoles[1], "\n"))
	}
}

// checkTag makes a kernel that holds its scheduler to the rules at every entry's end:
// kernel/check_on.go.
const checkTag = "hearth_check"

// TestSchedulersRulesHoldInGuests lets a kernel that checks itself run what moves
// threads most. A broken rule is a crash that names it.
func TestSchedulersRulesHoldInGuests(t *testing.T) {
	t.Parallel()
	m := machine(4, 2, 1)
	t.Run("races", func(t *testing.T) {
		t.Parallel()
		race(t, m, checkTag, "each", "for="+max(*stress, 500*time.Millisecond).String())
	})
	for _, guest := range []string{"runtime goroutines_under_gc 512_threads_twice", "placement together"} {
		t.Run(guest, func(t *testing.T) {
			t.Parallel()
			name, args, _ := strings.Cut(guest, " ")
			m := m
			m.Kernel, m.Append = built(t, name, checkTag).Image, "-- "+args
			if err := run(t, m).Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// race boots the guest and judges its claims.
func race(t *testing.T, m qemu.Machine, tags string, args ...string) qemu.Result {
	t.Helper()
	m.Kernel = built(t, "races", tags).Image
	m.Append = strings.TrimSpace(m.Append + " -- " + strings.Join(args, " "))
	m.Deadline += time.Duration(len(raceNames)) * *stress
	r := run(t, m)
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	want := []string{args[0]}
	if args[0] == "each" || args[0] == "all" {
		want = raceNames
	}
	if args[0] == "all" { // which ends first is open
		r.Lines = slices.Sorted(slices.Values(r.Lines))
		want = slices.Sorted(slices.Values(want))
	}
	checkClaims(t, r, want)
	for _, line := range r.Lines {
		if strings.HasPrefix(line, "race ") {
			t.Log(line)
		}
	}
	return r
}

// counterOf returns a counter of a race's line, -1 if there is none.
func counterOf(r qemu.Result, name, counter string) int {
	for _, line := range r.Lines {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "race" || words[1] != name {
			continue
		}
		for _, word := range words[2:] {
			if value, ok := strings.CutPrefix(word, counter+"="); ok {
				return atoi(value)
			}
		}
	}
	return -1
}
