package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"hearth/sys"
)

// total is the number of spawns that are judged.
const total = 200

// spawned is what a spawner is told about one of its threads.
type spawned struct {
	thread sys.Thread
	placed sys.Placement
}

// mix lets a thread pinned to each CPU spawn, first one after the other, on a
// quiet machine, then all together.
func mix() error {
	cpus := runtime.NumCPU()
	share := total / cpus
	if err := sys.Reserve(cpus * (1 + most)); err != nil {
		return err
	}
	defer sys.RaiseProcs(cpus * (2 + most))()
	made := make([][]spawned, cpus)
	for id := range cpus {
		mask := sys.MaskOf(id)
		if err := inThread(&mask, func() (err error) { made[id], err = spawnSome(0, share/2); return }); err != nil {
			return err
		}
	}
	threads := make([]sys.Thread, cpus)
	failed := make([]error, cpus)
	for id := range cpus {
		mask := sys.MaskOf(id)
		var err error
		threads[id], err = sys.SpawnWith(sys.Options{Mask: &mask}, func() {
			var more []spawned
			more, failed[id] = spawnSome(share/2, share)
			made[id] = append(made[id], more...)
		})
		if err != nil {
			return err
		}
	}
	for id, t := range threads {
		if _, err := t.Join(); err != nil {
			return err
		}
		if failed[id] != nil {
			return failed[id]
		}
	}
	report(made)
	return nil
}

// report prints, for each spawner's CPU, what it was told.
func report(made [][]spawned) {
	n := 0
	for id, list := range made {
		for _, s := range list {
			n++
			fmt.Println("placed", id, s.thread, s.placed.CPU, s.placed.Term, s.placed.Key)
		}
	}
	fmt.Println("spawns", n)
}

// most is how many threads a spawner keeps alive.
const most = 3

// spawnSome makes the spawns from first up to end of the calling spawner. How
// many threads are alive besides changes as it goes on: none, then up to most.
func spawnSome(first, end int) ([]spawned, error) {
	var list []spawned
	live := 0 // the newest of list
	var gate atomic.Uint32
	for i := first; i < end; i++ {
		var s spawned
		var err error
		s.thread, err = sys.SpawnWith(options(i, &s.placed), body(i, &gate))
		if err != nil {
			return nil, err
		}
		list = append(list, s)
		if live++; live > (i/3)%(most+1) {
			if err := release(&gate, list[len(list)-live:]); err != nil {
				return nil, err
			}
			live = 0
		}
	}
	return list, release(&gate, list[len(list)-live:])
}

// options takes turns: three of four are partners of their spawner, and every
// fifth has a mask, of the odd CPUs or the even ones.
func options(i int, placed *sys.Placement) sys.Options {
	o := sys.Options{Placed: placed}
	if i%4 == 3 {
		o.Relation = sys.Stranger
	}
	if i%5 == 4 {
		var mask sys.Mask
		for id := i % 2; id < runtime.NumCPU(); id += 2 {
			mask.Set(id)
		}
		if !mask.IsEmpty() {
			o.Mask = &mask
		}
	}
	return o
}

// body takes turns between a thread that parks until the gate opens, one that
// runs for a while, and one that ends at once.
func body(i int, gate *atomic.Uint32) func() {
	switch i % 3 {
	case 0:
		shut := gate.Load()
		return func() {
			for gate.Load() == shut {
				sys.FutexWait(word(gate), shut, time.Minute)
			}
		}
	case 1:
		return func() {
			for end := sys.Now() + 300*time.Microsecond; sys.Now() < end; {
			}
		}
	}
	return func() {}
}

// release opens the gate and joins the threads.
func release(gate *atomic.Uint32, list []spawned) error {
	gate.Add(1)
	sys.FutexWake(word(gate), len(list))
	for _, s := range list {
		if _, err := s.thread.Join(); err != nil {
			return err
		}
	}
	return nil
}
