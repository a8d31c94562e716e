package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"hearth/sys"
)

// total is the number of spawns that are judged.
const total = 100

// spawned is what a spawner is told about one of its threads.
type spawned struct {
	thread sys.Thread
	placed sys.Placement
}

// spawner is a thread pinned to a CPU, and what it made.
type spawner struct {
	cpu    int
	made   []spawned
	failed error
}

// mix makes a spawner for each CPU, which share the spawns, and lets start start
// them.
func mix(start func([]spawner) error) error {
	cpus := runtime.NumCPU()
	if err := sys.Reserve(cpus * (1 + most)); err != nil {
		return err
	}
	defer sys.RaiseProcs(cpus * (2 + most))()
	spawners := make([]spawner, cpus)
	for id := range spawners {
		spawners[id].cpu = id
	}
	if err := start(spawners); err != nil {
		return err
	}
	return report(spawners)
}

// alone starts one after the other, on a machine that is quiet otherwise.
func alone(spawners []spawner) error {
	for i := range spawners {
		t, err := spawners[i].start(len(spawners))
		if err != nil {
			return err
		}
		if _, err := t.Join(); err != nil {
			return err
		}
	}
	return nil
}

// together starts all at once.
func together(spawners []spawner) error {
	threads := make([]sys.Thread, len(spawners))
	for i := range spawners {
		var err error
		if threads[i], err = spawners[i].start(len(spawners)); err != nil {
			return err
		}
	}
	for _, t := range threads {
		if _, err := t.Join(); err != nil {
			return err
		}
	}
	return nil
}

// start starts a spawner, one of so many.
func (s *spawner) start(of int) (sys.Thread, error) {
	mask := sys.MaskOf(s.cpu)
	share := total / of
	if s.cpu < total%of {
		share++
	}
	return sys.SpawnWith(sys.Options{Mask: &mask}, func() { s.made, s.failed = spawnSome(share) })
}

// report prints what each spawner was told.
func report(spawners []spawner) error {
	for _, s := range spawners {
		if s.failed != nil {
			return s.failed
		}
		for _, one := range s.made {
			fmt.Println("placed", s.cpu, one.thread, one.placed.CPU, one.placed.Term, one.placed.Key)
		}
	}
	return nil
}

// most is how many threads a spawner keeps alive.
const most = 3

// spawnSome makes n spawns of the calling spawner. How many threads are alive
// besides changes as it goes on: none, then up to most.
func spawnSome(n int) ([]spawned, error) {
	var list []spawned
	live := 0 // the newest of list
	var gate atomic.Uint32
	for i := range n {
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
