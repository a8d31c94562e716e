package sim

import (
	"fmt"
	"hearth/cpu"
	"strings"
)

// Machine builds a topology from its text: a shape such as L(6,6)s2 (cpu.ParseShape),
// or the CPUs of each core, with | between LLC domains: cores {0,2} {1} | {3}. The
// second form names every CPU from 0 on once, so it also says how they are numbered.
func Machine(text string) (*cpu.Topology, error) {
	list, explicit := strings.CutPrefix(text, "cores ")
	if !explicit {
		return cpu.ParseShape(text)
	}
	var locs [cpu.Max]cpu.Location
	var seen cpu.Mask
	core := uint32(0)
	for llc, domain := range strings.Split(list, "|") {
		for _, word := range strings.Fields(domain) {
			mask, err := cpu.ParseMask(word)
			if err != nil {
				return nil, fmt.Errorf("machine %q: %w", text, err)
			}
			if twice := namedTwice(word); twice != "" {
				return nil, fmt.Errorf("machine %q: core %s has a CPU twice, in %s", text, word, twice)
			}
			if mask.IsEmpty() || seen.Intersects(&mask) {
				return nil, fmt.Errorf("machine %q: core %s is empty or has a CPU of another core", text, word)
			}
			seen.Or(&mask)
			for c := mask.First(); c != cpu.None; c = mask.Next(c) {
				locs[c] = cpu.Location{APIC: uint32(c), Core: cpu.Key{core}, LLC: cpu.Key{uint32(llc)}}
			}
			core++
		}
	}
	n := seen.Count()
	if n == 0 || !seen.Has(cpu.ID(n-1)) {
		return nil, fmt.Errorf("machine %q: its CPUs are not 0 to %d without holes; use absent for holes", text, n-1)
	}
	t := new(cpu.Topology)
	cpu.Build(t, locs[:n])
	return t, nil
}

// namedTwice returns the part of a mask's text that names a CPU which stands before it
// already, "" if there is none.
func namedTwice(text string) string {
	var seen cpu.Mask
	for part := range strings.SplitSeq(strings.Trim(text, "{}"), ",") {
		mask, err := cpu.ParseMask("{" + part + "}")
		if err != nil || seen.Intersects(&mask) {
			return part
		}
		seen.Or(&mask)
	}
	return ""
}
