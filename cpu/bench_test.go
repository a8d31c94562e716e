package cpu

import "testing"

// A machine of 1,024 CPUs that share nothing is the most work for Build.
func BenchmarkBuildOfSingleCPUs(b *testing.B) {
	locs := make([]Location, Max)
	for i := range locs {
		id := uint32(Max - i)
		locs[i] = Location{APIC: id, Core: Key{id}, LLC: Key{id}, Node: Key{id}, Package: Key{id}}
	}
	t := new(Topology)
	for b.Loop() {
		Build(t, locs)
	}
}

func BenchmarkBuildOf512SMTCores(b *testing.B) {
	domains := make([]uint32, 64)
	for i := range domains {
		domains[i] = 8
	}
	locs := shapeLocations(domains, 2)
	t := new(Topology)
	for b.Loop() {
		Build(t, locs)
	}
}

func BenchmarkProbe(b *testing.B) {
	t, err := ParseShape("L(8)x64s2")
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		t.Probe(ID(i&1023), i%1023)
		i++
	}
}
