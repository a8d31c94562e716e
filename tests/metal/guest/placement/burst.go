package main

import (
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"hearth/sys"
)

const (
	rounds = 4
	crowd  = 16
)

// bursts spawns a crowd that parks, over and over, and prints where each thread
// was placed and where its home is once all are parked.
func bursts() error {
	if err := sys.Reserve(crowd + 2); err != nil {
		return err
	}
	time.Sleep(20 * time.Millisecond) // the carriers that were started come to rest
	for round := range rounds {
		if err := inThread(nil, func() error { return burst(round) }); err != nil {
			return err
		}
	}
	return nil
}

func burst(round int) error {
	var gate atomic.Uint32
	var placed [crowd]sys.Placement
	var threads [crowd]sys.Thread
	time.Sleep(5 * time.Millisecond) // what the runtime still does because of this thread's start
	spawner := sys.CurrentCPU()
	for i := range threads {
		var err error
		threads[i], err = sys.SpawnWith(sys.Options{Placed: &placed[i]}, func() {
			for gate.Load() == 0 {
				sys.FutexWait(word(&gate), 0, sys.Forever)
			}
		})
		if err != nil {
			return err
		}
	}
	homes, err := homesOf(threads[:])
	fmt.Print("burst ", round, " from ", spawner, " placed")
	for i := range placed {
		fmt.Print(" ", placed[i].CPU)
	}
	fmt.Println(" homes", homes)
	gate.Store(1)
	sys.FutexWake(word(&gate), crowd)
	for _, t := range threads {
		if _, refused := t.Join(); err == nil {
			err = refused
		}
	}
	return err
}

// homesOf waits until all threads are parked and returns their homes.
func homesOf(threads []sys.Thread) ([]int, error) {
	var homes []int
	for _, t := range threads {
		for {
			status, err := t.Status()
			if err != nil {
				return nil, err
			}
			if status.State == sys.Blocked {
				homes = append(homes, status.Home)
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	return homes, nil
}

func word(a *atomic.Uint32) *uint32 { return (*uint32)(unsafe.Pointer(a)) }
