package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// byCost makes a machine of two LLC domains whose CPU 0 spawns.
func byCost(t *testing.T, name string, costs Costs) *rig {
	r := newRig(t, shape(t, name))
	r.s.SetPlacement(ByCost, costs)
	r.start(0, process.Fair)
	return r
}

func (r *rig) latency(c cpu.ID, d time.Duration) {
	r.s.LeaveIdle(c, r.now)
	r.s.SetExitLatency(c, d)
	r.enter(c)
}

// A deep sleeper near the spawner against a shallow one that is far: the cheaper one
// is taken, where by rank it is always the near one.
func TestByCostADeepSleeperNearbyLosesToAShallowOneThatIsFar(t *testing.T) {
	for _, test := range []struct {
		policy Policy
		deep   time.Duration
		want   cpu.ID
	}{{ByRank, 400 * time.Microsecond, 1}, {ByCost, 400 * time.Microsecond, 2}, {ByCost, 3 * time.Microsecond, 1}} {
		r := byCost(t, "L(2,1)", DefaultCosts())
		r.s.SetPlacement(test.policy, DefaultCosts())
		r.latency(1, test.deep)
		req := Request{Process: image, Near: true, Context: r.context(process.Fair)}
		if p, _ := r.s.Place(0, r.now, &req, nil); p.CPU != test.want {
			t.Errorf("policy %d, %v deep, without a view: CPU %d, want %d", test.policy, test.deep, p.CPU, test.want)
		}
		if p := r.spawn(0); p.CPU != test.want {
			t.Errorf("policy %d, %v deep: CPU %d with key %v, want %d", test.policy, test.deep, p.CPU, p.Key, test.want)
		}
	}
}

func TestByCostAHomeWeighsWhatItCosts(t *testing.T) {
	for _, test := range []struct {
		home time.Duration
		want cpu.ID
	}{{time.Microsecond, 1}, {20 * time.Microsecond, 2}} {
		r := byCost(t, "L(2,1)", Costs{Far: 5 * time.Microsecond, SharedCPU: test.home})
		r.start(1, process.Fair)
		r.park(1)
		if p := r.spawn(0); p.CPU != test.want {
			t.Errorf("home costs %v: CPU %d with key %v, want %d", test.home, p.CPU, p.Key, test.want)
		}
	}
	r := byCost(t, "L(2,2)s2", Costs{Far: 5 * time.Microsecond, SharedCore: 20 * time.Microsecond})
	r.start(1, process.Fair)
	r.park(1)
	m := only(5, 2)
	p := r.place(0, Request{Process: image, Near: true, Context: r.context(process.Fair), Mask: &m})
	r.want("where the sibling is no home", p.CPU, cpu.ID(2))
	r.want("what it costs", p.Key[TermLatency], uint32(5000))
}

// With a view and without one the same CPU is found, as far as all are read.
func TestByCostASearchFindsWhatAScanFinds(t *testing.T) {
	r := byCost(t, "L(4,4)s2", DefaultCosts())
	for c := range cpu.ID(16) {
		r.s.addHome(image, c, int32(c)%3/2)
	}
	for c := cpu.ID(1); c < 16; c++ {
		r.latency(c, time.Duration(c%4)*3*time.Microsecond)
		req := Request{Process: image, Near: true, Context: r.context(process.Fair)}
		one, _ := r.s.Place(c, r.now, &req, nil)
		two, _ := r.s.Place(c, r.now, &req, &r.v)
		r.want("the placement without a view", one, two)
	}
}

func TestCostsAreBounded(t *testing.T) {
	r := byCost(t, "L(1,1)", Costs{Far: time.Hour, SharedCPU: time.Hour, SharedCore: -1})
	r.s.handles[1].latency.Store(1<<32 - 1)
	r.s.addHome(image, 1, 1)
	r.latency(1, 1<<32-1)
	m := only(1)
	p := r.place(0, Request{Process: image, Near: true, Context: r.context(process.Fair), Mask: &m})
	r.want("the cost", p.Key[TermLatency], uint32(1<<32-1))
	r.want("what comes before it", p.Key[TermFar], uint32(0))
}
