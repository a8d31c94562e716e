package main

import (
	"fmt"

	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
)

// syntheticShapes are the machines on which the cost of a decision is measured: SMT
// cores in LLC domains of eight, as on the larger AMD machines.
var syntheticShapes = map[int]string{8: "L(2)x2s2", 64: "L(8)x4s2", 256: "L(8)x16s2", 1024: "L(8)x64s2"}

// newPlacer returns a function that makes n placement decisions of the real
// scheduler, from every CPU in turn, on a machine whose CPUs all sleep.
func newPlacer(cpus int) (decide func(n int), err error) {
	top, err := cpu.ParseShape(syntheticShapes[cpus])
	if err != nil {
		return nil, fmt.Errorf("synthetic machine of %d CPUs: %w", cpus, err)
	}
	s := new(sched.Scheduler)
	s.Init(top)
	fallAsleep(s, cpus)
	spawned := s.Table.NewContext(1, process.Fair)
	request := &sched.Request{Context: spawned, Process: 1, Near: true}
	from := cpu.ID(0)
	return func(n int) {
		for range n {
			s.Place(from, 0, request, nil)
			from = (from + 1) % cpu.ID(cpus)
		}
	}, nil
}

func fallAsleep(s *sched.Scheduler, cpus int) {
	actions := new(sched.Actions)
	for c := range cpu.ID(cpus) {
		s.Online(c, 0)
	}
	for c := range cpu.ID(cpus) {
		s.Pass(c, 0, actions)
		s.EnterIdle(c, 0, actions)
		actions.Reset()
	}
}
