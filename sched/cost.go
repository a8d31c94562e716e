package sched

import (
	"hearth/cpu"
	"time"
)

// Policy is how the terms home, far and latency of a key rank CPUs.
type Policy uint32

const (
	// ByRank: one after the other, as the key lists them.
	ByRank Policy = iota
	// ByCost: by the sum of what they cost, for a spawn that is near. The key's home and
	// far are then 0, and its latency is that sum. Such a placement does not use
	// summaries, which know no sums: it reads all CPUs of the mask up to 64, of more the
	// spawner's LLC domain and a sample, even if others are free.
	ByCost
)

// Costs are estimates of what a placement will have cost by the time that the thread
// has run for a moment.
type Costs struct {
	Far        time.Duration // moving what it works on with its spawner between two LLC domains
	SharedCore time.Duration // home on the sibling CPU of a parked thread that wakes meanwhile
	SharedCPU  time.Duration // home on the CPU of a parked thread that wakes meanwhile
}

// DefaultCosts are those of a machine with two LLC domains on which a line takes
// 20 ns within a domain and 95 ns from the other one. Far is 64 lines, 4 KiB. Two
// threads of a core run at some 60 % each, two of a CPU at half, and a parked thread
// wakes in one of ten bursts of 100 µs.
func DefaultCosts() Costs {
	return Costs{Far: 64 * (95 - 20) * time.Nanosecond, SharedCore: 4 * time.Microsecond, SharedCPU: 10 * time.Microsecond}
}

// SetPlacement makes p the policy of placements, with these costs for ByCost. Call it
// before the first placement.
func (s *Scheduler) SetPlacement(p Policy, costs Costs) {
	s.policy = p
	s.costs = [...]uint32{nanoseconds(costs.SharedCore), nanoseconds(costs.SharedCPU), nanoseconds(costs.Far)}
}

// nanoseconds returns d between 0 and 1 s, so that the sum of a key is below 2^32.
func nanoseconds(d time.Duration) uint32 {
	return uint32(min(max(d, 0), time.Second))
}

// nearCost is what homes and distance from the spawner cost at r.
func (s *Scheduler) nearCost(r *Raw, spawner cpu.ID) uint32 {
	cost := s.far(spawner, r.CPU) * s.costs[2]
	if home := homeTerm(r); home > 0 {
		cost += s.costs[home-1]
	}
	return cost
}

// addCost adds a cost to the latency of a rank, which it leaves below 2^32.
func (k rank) addCost(cost uint32) rank {
	sum := min(k.low>>latencyShift+uint64(cost), 1<<32-1)
	k.low = sum<<latencyShift | k.low&(1<<latencyShift-1)
	return k
}
