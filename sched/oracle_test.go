package sched_test

import (
	"hearth/cpu"
	"hearth/sched"
	"hearth/sched/sim"
	"testing"

	"pgregory.net/rapid"
)

var shapes = []string{"L(1)", "L(4)", "L(2,2)s2", "L(6,6)s2", "L(3,1)s2", "L(4)x4", "L(1,2,3)"}

// A view as no run might make it: any load, idle state, mask and homes.
func drawView(t *rapid.T, top *cpu.Topology, v *sched.View) {
	small := func(name string, most int) uint32 { return uint32(rapid.IntRange(0, most).Draw(t, name)) }
	someCPU := func(name string) cpu.ID { return cpu.ID(rapid.IntRange(0, top.Count-1).Draw(t, name)) }
	v.Spawner, v.Start = someCPU("spawner"), someCPU("start")
	v.Near = rapid.Bool().Draw(t, "near")
	v.N = 0
	coreHomes := map[int32]int32{}
	for c := range cpu.ID(top.Count) {
		if rapid.IntRange(0, 5).Draw(t, "absent") == 0 {
			continue
		}
		v.CPUs[v.N] = sched.Raw{
			CPU:      c,
			Load:     small("load", 2),
			Latency:  small("latency", 2) * 1000,
			Homes:    int32(small("homes", 2)),
			Slowness: uint16(small("slowness", 1)),
			Idle:     uint8(small("idle", 3)),
			Flags:    uint8(small("flags", 15)),
		}
		coreHomes[top.At[c].Core] += v.CPUs[v.N].Homes
		v.N++
	}
	for i := range v.CPUs[:v.N] {
		v.CPUs[i].CoreHomes = coreHomes[top.At[v.CPUs[i].CPU].Core]
	}
}

func TestThePlacementEqualsTheOracleOnAnyState(t *testing.T) {
	machines := map[string]*sched.Scheduler{}
	for _, name := range shapes {
		top, err := cpu.ParseShape(name)
		if err != nil {
			t.Fatal(err)
		}
		machines[name] = new(sched.Scheduler)
		machines[name].Init(top)
	}
	var v sched.View
	rapid.Check(t, func(t *rapid.T) {
		s := machines[rapid.SampledFrom(shapes).Draw(t, "machine")]
		drawView(t, &s.Topology, &v)
		var got sched.Ranking
		ok := s.Explain(&v, &got)
		c, key := sim.Oracle(&s.Topology, &v)
		if ok != (c != cpu.None) || ok && (got.CPU != c || got.Key != key) {
			t.Fatalf("placed %v on CPU %d with key %v, the oracle says %d with %v", ok, got.CPU, got.Key, c, key)
		}
		checkRunnerUp(t, s, &v, &got)
	})
}

// checkRunnerUp asks the oracle again without the winner; its siblings keep their
// view of it.
func checkRunnerUp(t *rapid.T, s *sched.Scheduler, v *sched.View, got *sched.Ranking) {
	if got.CPU == cpu.None {
		return
	}
	for i := range v.CPUs[:v.N] {
		if v.CPUs[i].CPU == got.CPU {
			v.CPUs[i].Flags &^= sched.RawAllowed
		}
	}
	c, key := sim.Oracle(&s.Topology, v)
	answering := func(c cpu.ID) bool {
		for _, r := range v.CPUs[:v.N] {
			if r.CPU == c {
				return r.Flags&sched.RawAnswering != 0
			}
		}
		return false
	}
	if got.RunnerUp == cpu.None {
		if c != cpu.None && answering(c) == answering(got.CPU) {
			t.Fatalf("no runner-up, the oracle says %d with %v", c, key)
		}
		return
	}
	if got.RunnerUp != c || got.RunnerUpKey != key {
		t.Fatalf("runner-up %d with key %v, the oracle says %d with %v", got.RunnerUp, got.RunnerUpKey, c, key)
	}
}
