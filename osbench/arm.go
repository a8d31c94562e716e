package osbench

import (
	"fmt"

	"hearth/sys"
)

// arm is where the two sides of a row run. The kernel is forced by affinity
// masks; the rounds are checked against the same words afterwards.
type arm int

const (
	free    arm = iota // the kernel's own choice
	near               // peers on another core of the caller's LLC
	far                // peers in another LLC
	sameCPU            // peers on the caller's CPU
	smt                // peers on the caller's core, another CPU
	alone              // the caller pinned, peers of no interest
)

var armNames = [...]string{"free", "near", "far", "same CPU", "SMT", "alone"}

func (a arm) String() string { return armNames[a] }

// holds reports whether a peer on q is where the arm wants it for a caller on p.
func (a arm) holds(p, q *sys.CPU) bool {
	switch a {
	case near:
		return q.LLC == p.LLC && q.Core != p.Core
	case far:
		return q.LLC != p.LLC
	case sameCPU:
		return q.ID == p.ID
	case smt:
		return q.Core == p.Core && q.ID != p.ID
	}
	return true
}

// why is what a machine lacks that has no place for the arm.
var why = [...]string{
	near: "no LLC of this machine has two cores",
	far:  "this machine has one LLC",
	smt:  "no core of this machine has two CPUs",
}

// place returns the masks of both sides, nil for any CPU, or why there are none.
// The caller takes the first CPU that has a partner.
func (a arm) place(top *sys.Topology) (caller, peer *sys.Mask, skip string) {
	if a == free {
		return nil, nil, ""
	}
	for i := range top.CPUs {
		p := &top.CPUs[i]
		partners := top.Where(func(q *sys.CPU) bool { return a.holds(p, q) })
		if partners.IsEmpty() {
			continue
		}
		own := sys.MaskOf(p.ID)
		if a == alone {
			return &own, nil, ""
		}
		return &own, &partners, ""
	}
	return nil, nil, why[a]
}

// check returns which round did not run where the arm says.
func (res *result) check(top *sys.Topology) error {
	for i := range res.rounds {
		if err := res.row.arm.checkRound(top, &res.rounds[i]); err != nil {
			return fmt.Errorf("round %d: %w", i, err)
		}
	}
	return nil
}

func (a arm) checkRound(top *sys.Topology, rd *round) error {
	caller, peers := rd.sides[0], rd.sides[1:]
	if a == free {
		return nil
	}
	if caller.start != caller.end {
		return fmt.Errorf("the pinned caller ran on CPU %d, then on CPU %d", caller.start, caller.end)
	}
	p := top.CPU(caller.start)
	if p == nil {
		return fmt.Errorf("the caller ran on CPU %d, which the topology does not have", caller.start)
	}
	for i, peer := range peers {
		for _, id := range [2]int{peer.start, peer.end} {
			if q := top.CPU(id); q == nil || !a.holds(p, q) {
				return fmt.Errorf("caller on %s, peer %d on %s: not %v", where(top, p.ID), i+1, where(top, id), a)
			}
		}
	}
	return nil
}

func where(top *sys.Topology, id int) string {
	c := top.CPU(id)
	if c == nil {
		return fmt.Sprintf("unknown CPU %d", id)
	}
	return fmt.Sprintf("CPU %d (LLC %d, core %d)", id, c.LLC, c.Core)
}
