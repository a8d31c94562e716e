package main

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"hearth/sys"
)

// exchange lets two threads on two CPUs wake each other in turns, and tells how many
// of the wakes took a kick.
func exchange(rounds string) error {
	n, err := strconv.Atoi(rounds)
	if err != nil {
		return err
	}
	var words [2]uint32
	var threads []sys.Thread
	before, err := sys.ReadStats()
	if err != nil {
		return err
	}
	for i := range words {
		mask := sys.MaskOf(i)
		t, err := sys.SpawnWith(sys.Options{Mask: &mask}, func() {
			for range n {
				if i == 0 {
					pass(&words[1])
				}
				await1(&words[i])
				if i == 1 {
					pass(&words[0])
				}
			}
		})
		if err != nil {
			return err
		}
		threads = append(threads, t)
	}
	for _, t := range threads {
		if _, err := t.Join(); err != nil {
			return err
		}
	}
	after, err := sys.ReadStats()
	fmt.Printf("exchange wakes=%d kicks=%d\n", after.Wakes-before.Wakes, after.Kicks-before.Kicks)
	return err
}

func pass(word *uint32) {
	atomic.StoreUint32(word, 1)
	sys.FutexWake(word, 1)
}

func await1(word *uint32) {
	for !atomic.CompareAndSwapUint32(word, 1, 0) {
		sys.FutexWait(word, 0, patience)
	}
}
