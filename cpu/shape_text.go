package cpu

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseShape builds a machine from its short description: L(6,6)s2 is two LLC
// domains of six cores with two CPUs each, L(8)x4 is four domains of eight
// cores, s1 (or nothing) is no SMT. Cores are numbered block-wise over the
// domains and CPUs i, i+cores, … share core i; the APIC id is the CPU's id, and
// all is one node of one package. The error names the part it cannot use.
func ParseShape(s string) (*Topology, error) {
	domains, smt, err := readShape(s)
	if err != nil {
		return nil, fmt.Errorf("machine %q: %w", s, err)
	}
	t := new(Topology)
	Build(t, shapeLocations(domains, smt))
	return t, nil
}

// readShape returns the cores of each domain, and the CPUs of each core.
func readShape(s string) (domains []uint32, smt uint32, err error) {
	list, rest, closed := strings.Cut(strings.TrimPrefix(s, "L("), ")")
	rest, smtWord, hasSMT := strings.Cut(rest, "s")
	repeat, timesWord, repeated := strings.Cut(rest, "x")
	if !closed || repeat != "" || !strings.HasPrefix(s, "L(") {
		return nil, 0, fmt.Errorf("want LLC domains such as L(6,6)s2 or L(8)x4")
	}
	times := uint32(1)
	if repeated {
		if times, err = shapeNumber(timesWord, "repetitions"); err != nil {
			return nil, 0, err
		}
	}
	smt = 1
	if hasSMT {
		if smt, err = shapeNumber(smtWord, "CPUs of a core"); err != nil {
			return nil, 0, err
		}
	}
	var block []uint32
	for _, word := range strings.Split(list, ",") {
		cores, err := shapeNumber(word, "cores of a domain")
		if err != nil {
			return nil, 0, err
		}
		block = append(block, cores)
	}
	if total(block)*uint64(times)*uint64(smt) > Max {
		return nil, 0, fmt.Errorf("more than %d CPUs", Max)
	}
	for range times {
		domains = append(domains, block...)
	}
	return domains, smt, nil
}

func shapeNumber(word, of string) (uint32, error) {
	n, err := strconv.ParseUint(word, 10, 32)
	if err != nil || n < 1 || n > Max {
		return 0, fmt.Errorf("%q %s: want a number from 1 to %d", word, of, Max)
	}
	return uint32(n), nil
}

func total(domains []uint32) uint64 {
	sum := uint64(0)
	for _, cores := range domains {
		sum += uint64(cores)
	}
	return sum
}

func shapeLocations(domains []uint32, smt uint32) []Location {
	cores := uint32(total(domains))
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
