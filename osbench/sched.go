package osbench

import (
	"fmt"

	"hearth/sys"
)

// NewPlacer returns a function that makes n placement decisions on a synthetic
// machine of so many CPUs. The program that links a scheduler in sets it; where it
// is nil, the rows of group Sched are skipped.
var NewPlacer func(cpus int) (decide func(n int), err error)

// placeBatch is how many decisions a round times together.
const placeBatch = 64

func schedRows() []*row {
	var rows []*row
	for _, cpus := range []int{8, 64, 256, 1024} {
		level := core
		if cpus <= 64 {
			level = smoke
		}
		rows = append(rows, &row{name: fmt.Sprintf("Sched/place.%d", cpus), suite: level, arm: alone,
			warm: 5, rounds: 50, ops: placeBatch, body: func(r *run) error { return place(r, cpus) }})
	}
	return rows
}

const errNoScheduler = skipped("this program has no scheduler linked in")

func place(r *run, cpus int) error {
	if NewPlacer == nil {
		return errNoScheduler
	}
	decide, err := NewPlacer(cpus)
	if err != nil {
		return err
	}
	return r.each(func(rd *round) error {
		began := sys.Now()
		decide(placeBatch)
		rd.took = sys.Now() - began
		return nil
	})
}
