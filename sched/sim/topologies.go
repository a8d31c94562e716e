package sim

import (
	"fmt"
	"hearth/cpu"
	"slices"
	"strings"
)

// Named is a machine of the collection: the lines of a scenario's head.
type Named struct {
	Name string
	Text string // lines separated by semicolons
}

// Topologies returns the machines on which random scenarios run, small ones first.
func Topologies() []Named { return topologies }

// topologies holds at least one machine of each kind that placement has been seen to
// go wrong on: domains of unequal size and of one CPU, cores without their siblings,
// holes, isolated CPUs, unequal CPUs, deep idle states, odd numbering.
var topologies = []Named{
	{"one", "machine L(1)"},
	{"two", "machine L(2)"},
	{"two-domains-of-one", "machine L(1,1)"},
	{"one-core", "machine L(1)s2"},
	{"four", "machine L(4)"},
	{"two-by-two", "machine L(2,2)"},
	{"two-by-two-smt", "machine L(2,2)s2"},
	{"unequal", "machine L(3,1)s2"},
	{"one-and-seven", "machine L(1,7)"},
	{"two-and-six", "machine L(2,6)"},
	{"ones", "machine L(1)x6"},
	{"desktop", "machine L(8)s2; costs desktop-1llc"},
	{"two-of-four", "machine L(4,4)"},
	{"smt-off", "machine L(4)s2; absent {4-7}"},
	{"smt-half-off", "machine L(4,4)s2; absent {9,11,13,15}"},
	{"holes", "machine L(4,4); absent {1,6}"},
	{"domain-missing", "machine L(2,2,2); absent {2,3}"},
	{"isolated-one", "machine L(4); isolated {3}"},
	{"isolated-sibling", "machine L(4)s2; isolated {5}"},
	{"isolated-domain", "machine L(2,2)s2; isolated {2,3,6,7}"},
	{"smt-four", "machine L(2,2)s4"},
	{"hybrid", "machine cores {0,1} {2,3} {4} {5} {6} {7}; slow {4-7} 400; costs hybrid"},
	{"hybrid-slow-first", "machine cores {0} {1} {2} {3} {4,5} {6,7}; slow {0-3} 400; costs hybrid"},
	{"three-speeds", "machine L(6); slow {2,3} 100; slow {4,5} 300"},
	{"siblings-far-apart", "machine cores {0,7} {1,6} | {2,5} {3,4}"},
	{"domains-interleaved", "machine cores {0} {2} {4} {6} | {1} {3} {5} {7}"},
	{"crossed", "machine cores {0,4} {2,6} | {1,5} {3,7}"},
	{"mixed-cores", "machine cores {0} {1,2} | {3,4,5} {6}"},
	{"deep", "machine L(4,4); latency {1-3} 100us; latency {4-7} 2us"},
	{"virtual", "machine L(4); costs vm"},
	{"sixteen", "machine L(4)x4"},
	{"two-of-six-smt", "machine L(6,6)s2"},
	{"sixty-four", "machine L(8)x4s2; costs amd-8llc"},
	{"two-hundred", "machine L(8)x16s2; costs amd-8llc"},
	{"thousand", "machine L(16)x64; costs amd-8llc"},
}

// On returns a scenario without threads on a machine of that name.
func On(name string) (*Scenario, error) {
	for _, n := range topologies {
		if n.Name == name {
			return n.scenario()
		}
	}
	return nil, fmt.Errorf("there is no topology %q; there are %s", name, strings.Join(topologyNames(), " "))
}

func topologyNames() (names []string) {
	for _, n := range topologies {
		names = append(names, n.Name)
	}
	return names
}

func isTopology(name string) bool {
	return slices.ContainsFunc(topologies, func(n Named) bool { return n.Name == name })
}

// collected reads the lines of a machine of the collection.
func (p *parser) collected(name string) error {
	delete(p.given, "machine") // its lines begin with one
	at := slices.IndexFunc(topologies, func(n Named) bool { return n.Name == name })
	for _, line := range strings.Split(topologies[at].Text, ";") {
		if err := p.statement(strings.Fields(line)); err != nil {
			return err
		}
	}
	return nil
}

func (n *Named) scenario() (*Scenario, error) {
	p := newParser(n.Name, &Scenario{Name: n.Name})
	if err := p.collected(n.Name); err != nil {
		return nil, fmt.Errorf("topology %s: %w", n.Name, err)
	}
	p.sc.First = p.sc.somewhere()
	return p.sc, nil
}

// somewhere returns the first CPU that is there, one that is not isolated if there is
// any; cpu.None if all are absent.
func (sc *Scenario) somewhere() cpu.ID {
	there := cpu.None
	for c := range cpu.ID(sc.Topology.Count) {
		switch {
		case slices.Contains(sc.Absent, c):
		case !slices.Contains(sc.Isolated, c):
			return c
		case there == cpu.None:
			there = c
		}
	}
	return there
}
