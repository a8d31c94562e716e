package cpu

import (
	"testing"

	"pgregory.net/rapid"
)

func ring(top *Topology, c ID) (distance func(ID) int) {
	at := top.At[c]
	return func(o ID) int {
		switch other := top.At[o]; {
		case other.Core == at.Core:
			return 0
		case other.LLC == at.LLC:
			return 1
		case other.Node == at.Node:
			return 2
		case other.Package == at.Package:
			return 3
		}
		return 4
	}
}

func TestProbeVisitsEveryOtherCPUOnceOutwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := new(Topology)
		Build(top, drawLocations(t))
		for c := ID(0); c < ID(top.Count); c++ {
			var seen Mask
			seen.Set(c)
			distance, last := ring(top, c), 0
			for i := range top.Count - 1 {
				o := top.Probe(c, i)
				if o == None || seen.Has(o) {
					t.Fatalf("probe %d of CPU %d is %d again", i, c, o)
				}
				if seen.Set(o); distance(o) < last {
					t.Fatalf("probe %d of CPU %d, %d, lies nearer than the one before", i, c, o)
				}
				last = distance(o)
			}
			if o := top.Probe(c, top.Count-1); o != None {
				t.Fatalf("CPU %d probes %d after all others", c, o)
			}
			if o := top.Probe(c, -1); o != None {
				t.Fatalf("CPU %d probes %d before all others", c, o)
			}
		}
	})
}

func TestNoCPUIsEverybodysNextChoice(t *testing.T) {
	for _, shape := range []string{"L(8)", "L(6,6)s2", "L(8)x8", "L(4)x16s2", "L(1)x8", "L(8)x4"} {
		top, err := ParseShape(shape)
		if err != nil {
			t.Fatal(err)
		}
		for i := range top.Count - 1 {
			chosen := make(map[ID]int)
			for c := ID(0); c < ID(top.Count); c++ {
				chosen[top.Probe(c, i)]++
			}
			for o, n := range chosen {
				if n != 1 {
					t.Fatalf("%s: CPU %d is choice %d of %d CPUs", shape, o, i, n)
				}
			}
		}
	}
}
