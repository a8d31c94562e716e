package sched

import (
	"hearth/cpu"
	"hearth/process"
	"maps"
	"testing"
)

// gang places n threads that work together, from CPU c, by the scan if there is a view,
// and returns how many of them are in each LLC domain.
func (r *rig) gang(c cpu.ID, n int, v *View) map[int32]int {
	r.t.Helper()
	in, last := map[int32]int{}, cpu.None
	for left := n; left > 0; left-- {
		req := Request{Process: image, Near: true, Context: r.context(process.Fair), Cores: int32(left), Toward: last}
		p, ok := r.s.Spawn(c, r.now, &req, v, &r.a)
		r.want("it is placed", ok, true)
		last = p.CPU
		in[r.s.Topology.At[last].LLC]++
	}
	return in
}

func TestAGangGoesToOneLLCThatHasRoom(t *testing.T) {
	for _, c := range []struct {
		what  string
		shape string
		busy  []cpu.ID
		from  cpu.ID
		n     int
		want  map[int32]int
	}{
		{"its spawner's own", "L(4,4)", nil, 0, 3, map[int32]int{0: 3}},
		{"another one, since one core of its own is its spawner's", "L(4,4)", nil, 0, 4, map[int32]int{1: 4}},
		{"the one of three that has it", "L(4,4,4)", []cpu.ID{1, 5}, 0, 4, map[int32]int{2: 4}},
		{"the fullest two of three", "L(4,4,4)", []cpu.ID{1, 5}, 0, 7, map[int32]int{2: 4, 1: 3}},
		{"one by cores, not by CPUs", "L(2,4)s2", nil, 0, 2, map[int32]int{1: 2}},
	} {
		for _, v := range []*View{new(View), nil} {
			r := newRig(t, shape(t, c.shape))
			r.start(c.from, process.Fair)
			for _, b := range c.busy {
				r.start(b, process.Fair)
			}
			if got := r.gang(c.from, c.n, v); !maps.Equal(got, c.want) {
				t.Errorf("a gang of %d goes to %s, by a scan: %v: domains have %v, want %v", c.n, c.what, v != nil, got, c.want)
			}
		}
	}
}

func TestAGangLooksForRoomWhereItsMaskAllows(t *testing.T) {
	r := newRig(t, shape(t, "L(4,4,4)"))
	r.start(0, process.Fair)
	for mask, llc := range map[string]int32{"{1-3,4-5}": 0, "{1-2,4-5,8-10}": 2, "{1,4-6,8}": 1} {
		m, err := cpu.ParseMask(mask)
		if err != nil {
			t.Fatal(err)
		}
		to := r.s.toward(0, &Request{Process: image, Near: true, Mask: &m, Cores: 3, Toward: cpu.None})
		r.want("where three go that may run on "+mask, r.s.Topology.At[to].LLC, llc)
	}
}

func TestAGangDoesNotGoWhereItIsBusy(t *testing.T) {
	r := newRig(t, shape(t, "L(4,4,4)"))
	for _, c := range []cpu.ID{0, 5} {
		r.start(c, process.Service) // whose home does not count
	}
	to := r.s.toward(0, &Request{Process: image, Near: true, Context: r.context(process.Fair), Cores: 4, Toward: cpu.None})
	r.want("where four go", r.s.Topology.At[to].LLC, int32(2))
	to = r.s.toward(0, &Request{Process: image, Near: true, Context: r.context(process.Fair), Cores: 9, Toward: cpu.None})
	r.want("where nine begin", r.s.Topology.At[to].LLC, int32(2))
}

func TestAGangLeavesTheHomesOfParkedThreads(t *testing.T) {
	r := newRig(t, shape(t, "L(4,4)"))
	r.start(1, process.Fair)
	r.park(1)
	r.start(0, process.Fair)
	r.want("domains of three beside two that are taken", r.gang(0, 3, nil)[1], 3)
}
