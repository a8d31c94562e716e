package metal

import (
	"fmt"
	"slices"

	"hearth/tools/trace"
)

// The oracle decides a recorded placement again, by the table of the placement
// rules and nothing else: it makes the key of every recorded CPU and sorts. It
// shares no code with the scheduler.

// seen is one CPU as a placement saw it.
type seen struct {
	cpu, load                 int
	asleep                    bool // polling or halted, with no kick coming and nothing in the background
	preemptible               bool // runs background work, holds nothing else, and the context that asks is none
	allowed, answering        bool
	homes, coreHomes, latency int
	slowness                  int
}

// free reports whether a CPU has nothing to do and nothing on its way.
func (c seen) free() bool { return c.load == 0 && c.asleep }

// decision is one recorded placement.
type decision struct {
	thread         int32
	spawner, start int
	near           bool
	chosen         int
	key            key
	cpus           []seen
	cut            bool // older records of the ring, candidates among them perhaps, are lost
}

type key [8]uint32

// decisions collects the placements of threads, ring by ring: the candidates of
// each stand just before it.
func decisions(d *trace.Dump) []decision {
	var all []decision
	for _, ring := range d.Rings {
		var cpus []seen
		for i, r := range ring.Records {
			switch r.Kind {
			case trace.KindCandidate:
				cpus = append(cpus, readSeen(r))
				continue
			case trace.KindSpawn:
				one := readDecision(r)
				one.cpus, one.cut = cpus, ring.Lost > 0 && i == len(cpus)
				all = append(all, one)
			}
			cpus = nil
		}
	}
	return all
}

func readSeen(r trace.Record) seen {
	const polling, halted = 1, 2
	const allowed, answering, background, preemptible = 1, 2, 4, 8
	a := r.Args
	return seen{
		cpu: int(a[0]), load: int(a[1]),
		asleep:      (a[2] == polling || a[2] == halted) && a[3]&background == 0,
		preemptible: a[3]&preemptible != 0,
		allowed:     a[3]&allowed != 0, answering: a[3]&answering != 0,
		homes: int(a[4]), coreHomes: int(a[5]), latency: int(a[6]), slowness: int(a[9]),
	}
}

func readDecision(r trace.Record) decision {
	where := r.Args[9]
	return decision{
		thread: r.Thread, chosen: int(r.Args[0]), key: key(r.Args[1:9]),
		spawner: int(where & 0xffff), start: int(where >> 16 & 0x7fff), near: where>>31 == 1,
	}
}

// ranked is a candidate with its key.
type ranked struct {
	cpu int
	key key
}

// rank returns the candidates, best first.
func (d *decision) rank(s shape) ([]ranked, error) {
	pool := d.pool()
	var list []ranked
	for _, c := range pool {
		k, err := d.keyOf(s, c)
		if err != nil {
			return nil, err
		}
		list = append(list, ranked{c.cpu, k})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no candidate is recorded")
	}
	slices.SortFunc(list, func(a, b ranked) int { return slices.Compare(a.key[:], b.key[:]) })
	return list, nil
}

// pool is the CPUs to choose from: those of the mask that answer or, if none
// does, all of the mask.
func (d *decision) pool() []seen {
	allowed := slices.DeleteFunc(slices.Clone(d.cpus), func(c seen) bool { return !c.allowed })
	answering := slices.DeleteFunc(slices.Clone(allowed), func(c seen) bool { return !c.answering })
	if len(answering) > 0 {
		return answering
	}
	return allowed
}

func (d *decision) keyOf(s shape, c seen) (key, error) {
	k := key{uint32(c.load), 2, 0, uint32(c.slowness), 0, 0, uint32(c.latency), 0}
	switch {
	case c.asleep:
		k[1] = 0
	case c.preemptible:
		k[1] = 1
	}
	for sibling := range s.cores {
		if sibling == c.cpu || s.cores[sibling] != s.cores[c.cpu] {
			continue
		}
		at := d.find(sibling)
		if at == nil {
			return k, fmt.Errorf("CPU %d, a sibling of CPU %d, is not recorded", sibling, c.cpu)
		}
		if !at.free() {
			k[2]++
		}
	}
	if d.near {
		k[4], k[5] = c.homeTerm(), 0
		if s.llcs[c.cpu] != s.llcs[d.spawner] {
			k[5] = 1
		}
	}
	n := len(s.cores)
	k[7] = uint32((c.cpu - d.start + n) % n)
	return k, nil
}

func (d *decision) find(cpu int) *seen {
	for i := range d.cpus {
		if d.cpus[i].cpu == cpu {
			return &d.cpus[i]
		}
	}
	return nil
}

func (c seen) homeTerm() uint32 {
	switch {
	case c.coreHomes == 0:
		return 0
	case c.homes == 0:
		return 1
	}
	return 2
}

// nearCore is emptyCore in the spawner's LLC domain.
func (d *decision) nearCore(s shape) int {
	return d.emptyCore(s, func(cpu int) bool { return s.llcs[cpu] == s.llcs[d.spawner] })
}

// emptyCore returns a core, of those whose CPUs are wanted, that is free in every
// way: all its CPUs may be chosen, have nothing to do and are nobody's home. It
// returns -1 if the record shows none.
func (d *decision) emptyCore(s shape, wanted func(cpu int) bool) int {
	taken := map[int]bool{}
	pool := d.pool()
	for cpu, core := range s.cores {
		i := slices.IndexFunc(pool, func(c seen) bool { return c.cpu == cpu })
		if i < 0 || !wanted(cpu) || !pool[i].free() || pool[i].coreHomes > 0 {
			taken[core] = true
		}
	}
	for _, core := range s.cores {
		if !taken[core] {
			return core
		}
	}
	return -1
}

// term is the first term in which two keys differ.
func term(a, b key) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}
