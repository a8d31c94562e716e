package sched

import (
	"hearth/cpu"
	"testing"
)

// covers reports whether no CPU of a group is of a level of homes: which levels.
func (s *Scheduler) covers(g int32) (levels [3]bool) {
	for home := range levels {
		levels[home] = s.homes.covered(image, g>>6, home)>>(g&63)&1 != 0
	}
	return levels
}

// The machine has groups beyond the 64th, and slots beyond the 128th.
func TestSearchesSeeEachHomeWhereItIs(t *testing.T) {
	s := new(Scheduler)
	s.Init(shape(t, "L(2)x70s2"))
	check := func(what string, c cpu.ID, want uint64, covers [3]bool) {
		t.Helper()
		for g := range s.groups.count {
			got, levels := s.homes.of(image, &s.groups.all[g]), s.covers(g)
			if g == s.groups.of[c] && (got != want || levels != covers) {
				t.Errorf("%s: CPU %d's group has homes %b and covers %v, want %b and %v", what, c, got, levels, want, covers)
			}
			if g != s.groups.of[c] && (got != 0 || levels != [3]bool{}) {
				t.Errorf("%s: group %d, which CPU %d is not of, has homes %b and covers %v", what, g, c, got, levels)
			}
		}
	}
	for _, c := range []cpu.ID{0, 1, 17, 63, 64, 100, 128, 139, 140, 255, 256, 279} {
		b := uint64(1) << s.groups.bit[c]
		s.addHome(image, c, 1)
		check("one home", c, b, [3]bool{})
		s.addHome(image, c, 1)
		s.addHome(image, c, -1)
		check("one of two", c, b, [3]bool{})
		s.addHome(image, c, -1)
		check("none", c, 0, [3]bool{})
	}
}

// Groups are of two cores of two CPUs.
func TestAGroupIsCoveredCoreByCoreAndCPUByCPU(t *testing.T) {
	s := new(Scheduler)
	s.Init(shape(t, "L(2)x70s2"))
	for _, g := range []int32{0, 31, 32, 63, 64, 69} {
		cpus := s.Topology.LLCMask(s.groups.all[g].llc)
		first := cpus.First()
		other := cpus.Next(first)
		for s.Topology.At[other].Core == s.Topology.At[first].Core {
			other = cpus.Next(other)
		}
		want := func(what string, levels [3]bool) {
			t.Helper()
			if got := s.covers(g); got != levels {
				t.Errorf("%s of group %d are homes: they cover %v, want %v", what, g, got, levels)
			}
		}
		s.addHome(image, first, 1)
		want("one CPU", [3]bool{})
		s.addHome(image, other, 1)
		want("a CPU of each core", [3]bool{true, false, false})
		s.addHome(image, s.sibling(first), 1)
		s.addHome(image, s.sibling(other), 1)
		want("all CPUs", [3]bool{true, true, false})
		s.addHome(image, first, -1)
		want("all but one CPU", [3]bool{true, false, false})
		s.addHome(image, s.sibling(first), -1)
		want("the CPUs of one core", [3]bool{})
	}
}

// sibling returns the other CPU of a core of two.
func (s *Scheduler) sibling(c cpu.ID) cpu.ID {
	x := &s.groups.all[s.groups.of[c]]
	return s.groups.ids[x.base+s.groups.sibling[x.base+s.groups.bit[c]]]
}
