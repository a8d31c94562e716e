package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"hearth/sys"
)

// settled returns how memory is used once the runtime has given back what it can.
func settled() sys.Memory {
	debug.FreeOSMemory()
	runtime.GC()
	debug.FreeOSMemory()
	return use()
}

// halves is how often flat measures what a half of the rounds took.
const halves = 5

// flat runs halves of a number of rounds and demands that one of them takes nothing
// that it does not give back, the first not counting. A page lost in each round shows
// in every half. What the program itself holds goes up and down by a large page now
// and then: one that came for a part of it keeps the rest, which the Go runtime
// believes it never used and does not give back.
func flat(rounds int, round func(int) error) (detail string, err error) {
	before := settled()
	for half := range halves {
		for i := range rounds / 2 {
			if err := round(i); err != nil {
				return "", err
			}
		}
		after := settled()
		flat := false
		if flat, detail = compare(&before, &after, rounds/2); flat && half > 0 {
			return detail, nil
		}
		before = after
	}
	return "", fmt.Errorf("no half of %d took nothing; the last: %s", halves, detail)
}

// compare reports whether rounds took less than half a page each.
func compare(before, after *sys.Memory, rounds int) (flat bool, detail string) {
	grown := int64(before.Free) - int64(after.Free)
	kernel := int64(after.Kernel) - int64(before.Kernel)
	most := int64(rounds) * page / 2
	detail = fmt.Sprintf("%d rounds took %d KiB, of them the kernel %d; %d of %d MiB free",
		rounds, grown>>10, kernel>>10, after.Free>>20, after.Total>>20)
	return grown <= max(most, 256<<10) && kernel <= max(most, 64<<10), detail
}

func spawnLeavesNothing() (string, error) {
	return flat(50*settings["rounds"], func(int) error {
		t, err := sys.Spawn(func() { sink++ })
		if err != nil {
			return err
		}
		_, err = t.Join()
		return err
	})
}

// heapLeavesNothing grows and frees the heap by sizes that do not divide one another.
func heapLeavesNothing() (string, error) {
	return flat(50*settings["rounds"], func(i int) error {
		grow(uintptr(i%5+1) * 700 << 10)
		if i%4 == 3 {
			debug.FreeOSMemory()
		}
		return nil
	})
}

var kept []byte

func grow(size uintptr) {
	kept = make([]byte, size)
	for at := uintptr(0); at < size; at += page {
		kept[at] = 1
	}
	kept = nil
}

// gibibyte grows the heap by a gibibyte and frees it, three times.
func gibibyte() (string, error) {
	const size = 1 << 30
	before := settled()
	for range 3 {
		kept = make([]byte, size)
		for at := 0; at < size; at += page {
			if kept[at]|kept[at+page-1] != 0 {
				return "", fmt.Errorf("byte %d of a fresh gibibyte is %d", at, kept[at])
			}
			kept[at], kept[at+page-1] = 1, 2
		}
		if m := use(); m.Program < size {
			return "", fmt.Errorf("%+v with a gibibyte in use", m)
		}
		kept = nil
		if m := settled(); int64(m.Program) > int64(before.Program)+64<<20 {
			return "", fmt.Errorf("%d MiB are kept of a freed gibibyte, before %d", m.Program>>20, before.Program>>20)
		}
	}
	after := settled()
	if after.Kernel > before.Kernel+64<<10 || after.Tables > before.Tables+64<<10 {
		return "", fmt.Errorf("%+v, before %+v", after, before)
	}
	return fmt.Sprintf("%d MiB of program before, %d after", before.Program>>20, after.Program>>20), nil
}
