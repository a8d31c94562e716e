package cpu

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ParseShape builds a machine from its short description: L(6,6)s2 is two LLC
// domains of six cores with two CPUs each, L(8)x4 is four domains of eight
// cores, s1 (or nothing) is no SMT. Cores are numbered block-wise over the
// domains and CPUs i, i+cores, … share core i; the APIC id is the CPU's id, and
// all is one node of one package. The error names the part it cannot use.
func ParseShape(s string) (*Topology, error) {
	part := shapeRE.FindStringSubmatch(s)
	if part == nil {
		return nil, fmt.Errorf("machine %q: want LLC domains such as L(6,6)s2 or L(8)x4", s)
	}
	times, err := shapeNumber(part[2], "x")
	if err != nil {
		return nil, fmt.Errorf("machine %q: %w", s, err)
	}
	smt, err := shapeNumber(part[3], "s")
	if err != nil {
		return nil, fmt.Errorf("machine %q: %w", s, err)
	}
	var domains []uint32
	for range times {
		for _, word := range strings.Split(part[1], ",") {
			cores, err := shapeNumber(word, "")
			if err != nil {
				return nil, fmt.Errorf("machine %q: %w", s, err)
			}
			domains = append(domains, uint32(cores))
			if total(domains)*uint32(smt) > Max {
				return nil, fmt.Errorf("machine %q: more than %d CPUs", s, Max)
			}
		}
	}
	t := new(Topology)
	Build(t, shapeLocations(domains, uint32(smt)))
	return t, nil
}

var shapeRE = regexp.MustCompile(`^L\(([0-9,]*)\)(x[0-9]+)?(s[0-9]+)?$`)

// shapeNumber reads a positive number below Max behind an optional letter;
// a missing one is 1.
func shapeNumber(word, letter string) (int, error) {
	if word == "" && letter != "" {
		return 1, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(word, letter))
	if err != nil || n < 1 || n > Max {
		return 0, fmt.Errorf("%q is no number from 1 to %d", word, Max)
	}
	return n, nil
}

func total(domains []uint32) uint32 {
	sum := uint32(0)
	for _, cores := range domains {
		sum += cores
	}
	return sum
}

func shapeLocations(domains []uint32, smt uint32) []Location {
	cores := total(domains)
	locs := make([]Location, cores*smt)
	core := uint32(0)
	for llc, size := range domains {
		for range size {
			for thread := range smt {
				i := core + thread*cores
				locs[i] = Location{APIC: i, Core: Key{core}, LLC: Key{uint32(llc)}}
			}
			core++
		}
	}
	return locs
}
