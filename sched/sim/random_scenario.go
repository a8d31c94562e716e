package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"slices"
	"sync"
	"time"
)

// Random makes a scenario of everything from a seed: a machine of the collection, the
// larger ones more rarely, and threads of all classes that do all that there is.
func Random(seed uint64) *Scenario {
	r := &random{seed ^ 0xabcdef}
	sc := randomMachine(r)
	g := &generator{r: r, masks: randomMasks(r, sc)}
	sc.Poll = polls[r.below(len(polls))]
	workers := 1 + r.below(12)
	for i := range workers {
		g.known = append(g.known, fmt.Sprintf("w%d", i))
		sc.Main = append(sc.Main, g.worker(g.known[i])...)
		sc.Main = append(sc.Main, g.program()...)
	}
	for _, name := range g.known {
		sc.Main = append(sc.Main, Wake(name), Wake(name), Join(name))
	}
	return sc
}

// polls are the budgets of random machines: most do not poll, since who polls hides
// whether kicks are sent.
var polls = [...]time.Duration{0, 0, 0, 0, 0, 2 * time.Microsecond, 20 * time.Microsecond}

// small is the number of machines of up to 16 CPUs; one run in many takes a larger one.
const small = 31

func randomMachine(r *random) *Scenario {
	at := r.below(small)
	if r.below(64) == 0 {
		at = small + r.below(len(topologies)-small)
	}
	return machineOf(at)
}

// machineOf returns a scenario without threads on machine at of the collection.
func machineOf(at int) *Scenario {
	machines.once.Do(func() {
		for i := range topologies {
			sc, err := topologies[i].scenario()
			if err != nil {
				panic(err) // a wrong line of the table
			}
			machines.list = append(machines.list, sc)
		}
	})
	sc := *machines.list[at]
	return &sc
}

var machines struct {
	once sync.Once
	list []*Scenario
}

// generator makes programs.
type generator struct {
	r     *random
	known []string // threads that there are
	masks []string
}

// randomMasks returns masks of a machine, all of it more often than the others. Each
// has a CPU that is there.
func randomMasks(r *random, sc *Scenario) []string {
	masks := []string{everyCPU, everyCPU, everyCPU}
	cpus := sc.Topology.Count
	for range 6 {
		var m cpu.Mask
		m.Set(sc.present(cpu.ID(r.below(cpus))))
		for range r.below(3) {
			first := r.below(cpus)
			for c := first; c <= min(first+r.below(3), cpus-1); c++ {
				m.Set(cpu.ID(c))
			}
		}
		masks = append(masks, m.String())
	}
	return masks
}

// present returns c or, if it is absent, the next CPU that is there.
func (sc *Scenario) present(c cpu.ID) cpu.ID {
	for slices.Contains(sc.Absent, c) {
		c = (c + 1) % cpu.ID(sc.Topology.Count)
	}
	return c
}

func (g *generator) mask() string    { return g.masks[g.r.below(len(g.masks))] }
func (g *generator) someone() string { return g.known[g.r.below(len(g.known))] }

// worker spawns the thread of that name, and sometimes a context of the runtime.
func (g *generator) worker(name string) []Op {
	op := Spawn(name, g.program()...)
	switch g.r.below(10) {
	case 0:
		op = op.On(g.mask())
	case 1:
		op = op.Apart()
	case 2:
		op = op.As(process.RealTime)
	case 3:
		op = op.As(process.Background)
	case 4:
		op = op.Weigh(int32(1 + g.r.below(4096)))
	case 5:
		op = op.Gang(int32(1 + g.r.below(8)))
	}
	ops := []Op{op}
	if g.r.below(3) == 0 {
		ops = append(ops, Spawn("m"+name, g.program()...).As(process.Service))
	}
	return ops
}

func (g *generator) program() []Op {
	var ops []Op
	blocks := 0
	for range g.r.below(12) {
		op := g.op()
		if op.verb == opBlock && op.span > time.Millisecond {
			if blocks++; blocks > 1 {
				op = SetMask("", g.mask())
			}
		}
		ops = append(ops, op)
	}
	return ops
}

func (g *generator) op() Op {
	switch g.r.below(14) {
	case 0, 1:
		return Run(time.Duration(g.r.below(20_000)))
	case 2:
		return Run(time.Duration(g.r.below(10_000_000)))
	case 3:
		return Yield()
	case 4, 5:
		return Wake(g.someone())
	case 6:
		return BlockFor(time.Duration(g.r.below(50_000)))
	case 7:
		return SetMask(g.someone(), g.mask())
	case 8:
		return BlockFor(20 * time.Millisecond)
	case 9:
		return Offline(g.mask())
	case 10:
		return Online(everyCPU)
	case 11:
		return Critical(time.Duration(g.r.below(100_000)))
	case 12:
		return SetMask("", g.mask())
	}
	return Together(Wake(g.someone()), SetMask(g.someone(), g.mask()), Wake(g.someone()))
}
