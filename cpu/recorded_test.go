package cpu

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// recording is what one CPU answered to CPUID.
type recording struct {
	apic  uint32
	words map[Query]Registers
}

// cpuid answers as QEMU does: beyond the maximum with the words of the highest
// basic leaf. It fails the test for a query that a careful reader does not make.
func (r *recording) cpuid(t *testing.T, q Query) Registers {
	base := q.Leaf & 0xC0000000
	max := r.words[Query{Leaf: base}].EAX
	if q.Leaf > max && q.Leaf != leafExtMax {
		t.Errorf("leaf %#x asked for, the highest is %#x", q.Leaf, max)
		return r.words[Query{Leaf: r.words[Query{}].EAX}]
	}
	before := r.words[Query{q.Leaf, q.Sub - 1}]
	switch q.Leaf {
	case leafCaches, leafExtCaches:
		if q.Sub > 0 && cacheType(&before) == 0 {
			t.Errorf("leaf %#x.%d asked for, the list ended before", q.Leaf, q.Sub)
		}
	case leafLevels, leafLevelsV2, leafExtLevels:
		if q.Sub > 0 && levelType(&before) == 0 {
			t.Errorf("leaf %#x.%d asked for, the list ended before", q.Leaf, q.Sub)
		}
	}
	return r.words[q]
}

func (r *recording) leaves(t *testing.T) *Leaves {
	l := new(Leaves)
	for q, more := l.Next(); more; q, more = l.Next() {
		w := r.cpuid(t, q)
		l.Record(w.EAX, w.EBX, w.ECX, w.EDX)
	}
	return l
}

// recordings reads testdata/cpuid.txt: for each machine its CPUs by APIC id.
func recordings(t testing.TB) map[string][]*recording {
	f, err := os.Open("testdata/cpuid.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	machines := make(map[string][]*recording)
	var name string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "machine "):
			name = strings.Fields(line)[1]
		case strings.HasPrefix(line, "cpu "):
			machines[name] = append(machines[name], newRecording(t, line, machines[name]))
		default:
			list := machines[name]
			list[len(list)-1].add(t, line)
		}
	}
	return machines
}

func newRecording(t testing.TB, line string, others []*recording) *recording {
	r := &recording{words: make(map[Query]Registers)}
	if _, err := fmt.Sscanf(line, "cpu %x", &r.apic); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if len(others) > 0 {
		for q, w := range others[0].words {
			r.words[q] = w
		}
	}
	return r
}

func (r *recording) add(t testing.TB, line string) {
	var q Query
	var w Registers
	if _, err := fmt.Sscanf(line, "%x %x %x %x %x %x", &q.Leaf, &q.Sub, &w.EAX, &w.EBX, &w.ECX, &w.EDX); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	r.words[q] = w
}

// build decodes a recorded machine; CPUs get ids in the order of APIC ids.
func build(t *testing.T, cpus []*recording) *Topology {
	var locs []Location
	for _, r := range cpus {
		locs = append(locs, Decode(r.leaves(t), r.apic))
	}
	top := new(Topology)
	Build(top, locs)
	checkTree(t, top)
	return top
}
