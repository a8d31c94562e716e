package main

import (
	"fmt"
	"slices"

	"hearth/sys"
)

// cost measures what a spawn takes, in ticks of the TSC, with few threads alive and
// with thousands.
func cost() error {
	for _, alive := range []int{4, 4000} {
		var g gate
		if err := g.fill(alive); err != nil {
			return err
		}
		median, err := medianSpawn()
		if err != nil {
			return err
		}
		fmt.Printf("spawn %d alive: median %d\n", alive, median)
		if err := g.open(); err != nil {
			return err
		}
	}
	return nil
}

// medianSpawn is of many spawns, of which each thread ends before the next.
func medianSpawn() (uint64, error) {
	var ticks []uint64
	for range 301 {
		begin := sys.TSC()
		t, err := sys.Spawn(func() {})
		ticks = append(ticks, sys.TSC()-begin)
		if err != nil {
			return 0, err
		}
		if _, err := t.Join(); err != nil {
			return 0, err
		}
	}
	slices.Sort(ticks)
	return ticks[len(ticks)/2], nil
}
