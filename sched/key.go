package sched

import "hearth/cpu"

// Key ranks a CPU for a placement: the first term in which two keys differ decides,
// smaller is better.
type Key [Terms]uint32

// The terms of a key, in order. The reasons are those of docs/placement.md.
const (
	// TermLoad: contexts queued there and in transit to it.
	TermLoad = iota
	// TermAwake: 0 for a sleeper with no kick coming. Another one has, or is about
	// to have, work that its load does not show.
	TermAwake
	// TermCapacity: how much slower than the fastest CPU.
	TermCapacity
	// TermSiblings: CPUs of its core, apart from itself, that are not free. A shared
	// core is as slow as a split pair.
	TermSiblings
	// TermHome: 0 if no thread of the process calls a CPU of the core home, 1 if one
	// calls a sibling so, 2 if one calls the CPU itself so.
	TermHome
	// TermFar: 1 outside the spawner's LLC domain.
	TermFar
	// TermLatency: nanoseconds that its idle state takes to leave.
	TermLatency
	// TermDistance: steps from the start of the rotation.
	TermDistance

	// Terms is the number of terms.
	Terms = iota
	// TermNone is the deciding term where only one CPU was allowed.
	TermNone = -1
)

// key makes k the key of r, of whose core busy other CPUs are not free.
func (s *Scheduler) key(v *View, r *Raw, busy uint32, k *Key) {
	s.rank(r, busy, v.Start, k)
	if v.Near {
		k[TermHome] = homeTerm(r)
		k[TermFar] = s.far(v.Spawner, r.CPU)
	}
}

// rank makes k the key of r for a context that nobody's caches and homes attract.
func (s *Scheduler) rank(r *Raw, busy uint32, start cpu.ID, k *Key) {
	*k = Key{
		TermLoad:     r.Load,
		TermAwake:    bit(!r.Sleeper()),
		TermCapacity: uint32(r.Slowness),
		TermSiblings: busy,
		TermLatency:  r.Latency,
		TermDistance: s.distance(start, r.CPU),
	}
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

// less reports whether a ranks before b.
func less(a, b *Key) bool {
	i := deciding(a, b)
	return i < Terms && a[i] < b[i]
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
