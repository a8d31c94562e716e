package sim

import (
	"fmt"
	"hearth/cpu"
	"slices"
	"time"
)

// Shrunk is a scenario that breaks what a larger one broke.
type Shrunk struct {
	Scenario *Scenario
	Seed     uint64 // with which it does
	Error    error  // of that run
	Runs     int    // that it took
}

// shrinkSeeds is how many seeds a smaller scenario is tried with: what breaks rarely
// would otherwise seem not to break any more.
const shrinkSeeds = 24

// Shrink makes the scenario smaller as long as some seed still breaks the same
// invariant or expectation: without threads, ops, CPUs, with shorter times. It fails
// if the run of o breaks nothing.
func (sc *Scenario) Shrink(o Options) (*Shrunk, error) {
	out, err := sc.Run(o)
	if err == nil {
		return nil, fmt.Errorf("scenario %s: seed %d breaks nothing", sc.Name, o.Seed)
	}
	if out == nil {
		return nil, err
	}
	s := &shrinker{o: o, best: Shrunk{sc.clone(), o.Seed, err, 1}, broken: brokenBy(err)}
	if s.broken == "" {
		return nil, err
	}
	s.best.Scenario.Fails = nil // nobody reported what comes of it
	for smaller := true; smaller; {
		smaller = s.machines() || s.heads() || s.threads() || s.ops() || s.times()
	}
	return &s.best, nil
}

type shrinker struct {
	o      Options
	best   Shrunk
	broken string
}

// brokenBy names what an error of a run says is broken, empty if it says something else.
func brokenBy(err error) string {
	switch e := err.(type) {
	case *Violation:
		return e.Invariant
	case *Missed:
		if e.Got == nothing {
			return nothing
		}
		return e.Expectation.String()
	}
	return ""
}

// try keeps sc if some seed breaks the same in it.
func (s *shrinker) try(sc *Scenario) bool {
	for i := range uint64(shrinkSeeds) {
		o := s.o
		if o.Seed = i - 1; i == 0 {
			o.Seed = s.best.Seed
		}
		s.best.Runs++
		sc.prune()
		if _, err := sc.Run(o); err != nil && brokenBy(err) == s.broken {
			s.best = Shrunk{sc, o.Seed, err, s.best.Runs}
			return true
		}
	}
	return false
}

// prune leaves out the claims about threads that are not there any more.
func (sc *Scenario) prune() {
	names := sc.names()
	sc.Expect = slices.DeleteFunc(slices.Clone(sc.Expect), func(e Expectation) bool { return e.missing(names) != "" })
}

// machines tries every smaller machine of the collection.
func (s *shrinker) machines() bool {
	top, err := s.best.Scenario.topology()
	if err != nil {
		return false
	}
	for i := range topologies {
		small := machineOf(i)
		if small.Topology.Count >= top.Count {
			continue
		}
		sc := s.best.Scenario.clone()
		sc.Shape, sc.Topology, sc.First = small.Shape, small.Topology, small.First
		sc.Isolated, sc.Absent, sc.Slow, sc.Latency = small.Isolated, small.Absent, small.Slow, small.Latency
		if s.try(sc) {
			return true
		}
	}
	return false
}

// heads tries to leave out what is special about the machine.
func (s *shrinker) heads() (smaller bool) {
	for _, plain := range []func(*Scenario) bool{
		func(sc *Scenario) bool { n := len(sc.Isolated); sc.Isolated = nil; return n > 0 },
		func(sc *Scenario) bool { n := len(sc.Absent); sc.Absent = nil; return n > 0 },
		func(sc *Scenario) bool { n := len(sc.Slow); sc.Slow = nil; return n > 0 },
		func(sc *Scenario) bool { n := len(sc.Latency); sc.Latency = nil; return n > 0 },
	} {
		if sc := s.best.Scenario.clone(); plain(sc) && s.try(sc) {
			smaller = true
		}
	}
	return smaller
}

// threads tries to leave out each thread, and all that others do to it.
func (s *shrinker) threads() (smaller bool) {
	names := map[string]bool{}
	for _, program := range s.best.Scenario.programs() {
		for i := range *program {
			if op := &(*program)[i]; op.verb == opSpawn {
				names[op.who] = true
			}
		}
	}
	for _, name := range sortedKeys(names) {
		sc := s.best.Scenario.clone()
		for _, program := range sc.programs() {
			*program = without(*program, name)
		}
		if s.try(sc) {
			smaller = true
		}
	}
	return smaller
}

// without returns the ops that do not concern the thread of that name.
func without(ops []Op, name string) []Op {
	var rest []Op
	for _, op := range ops {
		if op.who == name && name != "" {
			continue
		}
		if op.verb == opTogether {
			if op.program = without(op.program, name); len(op.program) == 0 {
				continue
			}
		}
		rest = append(rest, op)
	}
	return rest
}

// ops tries to leave out runs of ops, long ones first.
func (s *shrinker) ops() (smaller bool) {
	for at := 0; at < len(s.best.Scenario.programs()); at++ {
		for size := len(*s.best.Scenario.programs()[at]); size > 0; size /= 2 {
			for from := 0; from < len(*s.best.Scenario.programs()[at]); {
				sc := s.best.Scenario.clone()
				program := sc.programs()[at]
				*program = slices.Delete(*program, from, min(from+size, len(*program)))
				if s.try(sc) && at < len(s.best.Scenario.programs()) {
					smaller = true
				} else {
					from += size
				}
				if at >= len(s.best.Scenario.programs()) {
					return true
				}
			}
		}
	}
	return smaller
}

// times tries shorter computations and waits.
func (s *shrinker) times() (smaller bool) {
	for at := range s.best.Scenario.programs() {
		for i := range *s.best.Scenario.programs()[at] {
			for _, short := range []time.Duration{time.Microsecond, 10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond} {
				sc := s.best.Scenario.clone()
				op := &(*sc.programs()[at])[i]
				if op.span <= short {
					break
				}
				op.span = short
				if s.try(sc) {
					smaller = true
					break
				}
			}
		}
	}
	return smaller
}

// programs returns main's program and, in order, those of all spawns.
func (sc *Scenario) programs() []*[]Op { return programsIn(&sc.Main) }

func programsIn(program *[]Op) []*[]Op {
	all := []*[]Op{program}
	for i := range *program {
		if op := &(*program)[i]; op.verb == opSpawn {
			all = append(all, programsIn(&op.program)...)
		}
	}
	return all
}

// clone copies the scenario so that its programs can be changed.
func (sc *Scenario) clone() *Scenario {
	twin := *sc
	twin.Main = cloneOps(sc.Main)
	twin.Isolated = append([]cpu.ID(nil), sc.Isolated...)
	return &twin
}

func cloneOps(ops []Op) []Op {
	all := slices.Clone(ops)
	for i := range all {
		all[i].program = cloneOps(all[i].program)
	}
	return all
}
