package sched

import "hearth/cpu"

// Key ranks a CPU for a placement: the first term in which two keys differ decides,
// smaller is better.
type Key [Terms]uint32

// The terms of a key, in order.
const (
	// TermLoad: contexts queued there and in transit to it. Waiting costs more than
	// anything below.
	TermLoad = iota
	// TermAwake: 0 for a sleeper with no kick coming, 1 for a CPU that runs background
	// work, holds nothing else and would be preempted at once. Any other CPU, 2, has,
	// or is about to have, work that its load does not show.
	TermAwake
	// TermSiblings: CPUs of its core, apart from itself, that are not free. Two threads
	// on one core are as slow as a pair that two caches split, so this comes before
	// TermFar.
	TermSiblings
	// TermCapacity: how much slower than the fastest CPU; 0 where all are equal. A slow
	// core of its own does more than half of a fast one, so this comes after
	// TermSiblings.
	TermCapacity
	// TermHome: 0 if no thread of the process calls a CPU of the core home, 1 if one
	// calls a sibling so, 2 if one calls the CPU itself so. Parked threads raise no
	// load; without this term a burst of them is packed on a few CPUs and wakes there.
	TermHome
	// TermFar: 1 outside the spawner's LLC domain. A line from another domain takes
	// about four times as long.
	TermFar
	// TermLatency: nanoseconds that its idle state takes to leave.
	TermLatency
	// TermDistance: steps from the start of the rotation, which spreads equals.
	TermDistance

	// Terms is the number of terms.
	Terms = iota
	// TermNone is the deciding term where only one CPU was allowed.
	TermNone = -1
)

// rank is a key packed into two words, so that comparing two is comparing numbers:
// in high load, awake, siblings, capacity, home, far, in low latency and distance.
type rank struct{ high, low uint64 }

// The places of the terms, from the lowest bit; each has room for its largest value.
const (
	farShift      = 0  // 1 bit
	homeShift     = 1  // 2 bits
	capacityShift = 3  // 16 bits
	siblingsShift = 19 // 10 bits
	awakeShift    = 29 // 2 bits
	loadShift     = 31 // 16 bits

	distanceShift = 0  // 16 bits
	latencyShift  = 16 // 32 bits
)

// rankOf ranks r, of whose core busy other CPUs are not free, for a context that
// nobody's caches and homes attract.
func (s *Scheduler) rankOf(r *Raw, busy uint32, start cpu.ID) rank {
	high := uint64(r.Load)<<loadShift | uint64(awakeTerm(r))<<awakeShift | uint64(busy)<<siblingsShift | uint64(r.Slowness)<<capacityShift
	return rank{high, uint64(r.Latency)<<latencyShift | uint64(s.distance(start, r.CPU))<<distanceShift}
}

// near adds the terms of a context that is drawn to the LLC domain of spawner and
// away from the homes of its process.
func (s *Scheduler) near(k rank, r *Raw, spawner cpu.ID) rank {
	if s.policy == ByCost {
		return k.addCost(s.nearCost(r, spawner))
	}
	k.high |= uint64(homeTerm(r))<<homeShift | uint64(s.far(spawner, r.CPU))<<farShift
	return k
}

// before reports whether k is the smaller key.
func (k rank) before(other rank) bool {
	return k.high < other.high || k.high == other.high && k.low < other.low
}

// unpack makes key the terms of k.
func (k rank) unpack(key *Key) {
	key[TermLoad] = uint32(k.high >> loadShift)
	key[TermAwake] = uint32(k.high >> awakeShift & 3)
	key[TermSiblings] = uint32(k.high >> siblingsShift & 0x3ff)
	key[TermCapacity] = uint32(k.high >> capacityShift & 0xffff)
	key[TermHome] = uint32(k.high >> homeShift & 3)
	key[TermFar] = uint32(k.high >> farShift & 1)
	key[TermLatency] = uint32(k.low >> latencyShift)
	key[TermDistance] = uint32(k.low >> distanceShift & 0xffff)
}

func awakeTerm(r *Raw) uint32 {
	switch {
	case r.Sleeper():
		return 0
	case r.Flags&RawPreemptible != 0:
		return 1
	}
	return 2
}

func homeTerm(r *Raw) uint32 {
	switch {
	case r.Homes > 0:
		return 2
	case r.CoreHomes > 0:
		return 1
	}
	return 0
}

// far is 1 if a and b lie in different LLC domains.
func (s *Scheduler) far(a, b cpu.ID) uint32 {
	return bit(s.Topology.At[a].LLC != s.Topology.At[b].LLC)
}

// distance counts the CPUs from start up to c, running round the machine.
func (s *Scheduler) distance(start, c cpu.ID) uint32 {
	d := int(c) - int(start)
	if d < 0 {
		d += s.Topology.Count
	}
	return uint32(d)
}

// deciding returns the first term in which a and b differ, Terms if they are equal.
func deciding(a, b *Key) int32 {
	for i := range a {
		if a[i] != b[i] {
			return int32(i)
		}
	}
	return Terms
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
