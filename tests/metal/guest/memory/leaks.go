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

// flat runs a number of rounds twice and demands that the second half takes nothing
// that it does not give back. A page lost in each round would show.
func flat(rounds int, round func(int) error) (string, error) {
	var seen [3]sys.Memory
	for half := range 2 {
		seen[half] = settled()
		for i := range rounds / 2 {
			if err := round(i); err != nil {
				return "", err
			}
		}
	}
	seen[2] = settled()
	grown := int64(seen[1].Free) - int64(seen[2].Free)
	kernel := int64(seen[2].Kernel) - int64(seen[1].Kernel)
	detail := fmt.Sprintf("%d rounds; the second half took %d KiB, of them the kernel %d; %d of %d MiB free",
		rounds, grown>>10, kernel>>10, seen[2].Free>>20, seen[2].Total>>20)
	if most := int64(rounds/2) * page / 2; grown > max(most, 256<<10) || kernel > max(most, 64<<10) {
		return "", fmt.Errorf("%s", detail)
	}
	return detail, nil
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
