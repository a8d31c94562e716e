// Command cpus is the guest that goes to every CPU: a thread pinned to each must
// run there and nowhere else.
package main

import (
	"fmt"
	"os"

	_ "hearth/kernel"
	"hearth/sys"
)

func main() {
	if err := visitAll(); err != nil {
		fmt.Println("claim threads_run_where_pinned FAILED", err)
		os.Exit(1)
	}
	fmt.Println("claim threads_run_where_pinned ok")
}

// visitAll pins a thread to each CPU, first by its spawn, then by itself.
func visitAll() error {
	online := sys.Online()
	for cpu := online.First(); cpu >= 0; cpu = online.Next(cpu) {
		mask := sys.MaskOf(cpu)
		var first, moved int
		t, err := sys.SpawnWith(sys.Options{Mask: &mask}, func() {
			first = stays(cpu)
			next := sys.MaskOf(after(&online, cpu))
			if sys.Self().SetAffinity(&next) != nil {
				moved = -1
				return
			}
			moved = stays(next.First())
		})
		if err != nil {
			return err
		}
		if _, err := t.Join(); err != nil {
			return err
		}
		if first != cpu || moved != after(&online, cpu) {
			return fmt.Errorf("a thread pinned to CPU %d ran on %d, and on %d after it moved itself to %d", cpu, first, moved, after(&online, cpu))
		}
	}
	return nil
}

// after is the next online CPU, running round.
func after(online *sys.Mask, cpu int) int {
	if next := online.Next(cpu); next >= 0 {
		return next
	}
	return online.First()
}

// stays looks often where the caller runs and returns the CPU that was not
// wanted, if there was one.
func stays(want int) int {
	for range 100 {
		if cpu := sys.CurrentCPU(); cpu != want {
			return cpu
		}
		sys.Yield()
	}
	return want
}
