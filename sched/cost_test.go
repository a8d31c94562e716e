package sched

import (
	"hearth/cpu"
	"hearth/process"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// costShapes are the machines of the cost table: SMT cores, in LLC domains of eight
// but for the smallest.
var costShapes = []struct {
	cpus  int
	shape string
	ratio float64 // the least factor between the scan and the search
}{{8, "L(2)x2s2", 2}, {64, "L(8)x4s2", 8}, {256, "L(8)x16s2", 20}, {1024, "L(8)x64s2", 60}}

// priced is a machine on which decisions are timed.
type priced struct {
	s    *Scheduler
	req  Request
	from cpu.ID
	now  time.Duration
}

// price makes a machine of which one in so many CPUs runs something; 0: none.
func price(t testing.TB, name string, busy int) *priced {
	top, err := cpu.ParseShape(name)
	if err != nil {
		t.Fatal(err)
	}
	p := &priced{s: new(Scheduler)}
	p.s.Init(top)
	var a Actions
	rng := rand.New(rand.NewPCG(1, 1))
	for c := range cpu.ID(top.Count) {
		p.s.Online(c, 0)
	}
	for c := range cpu.ID(top.Count) {
		if busy == 0 || rng.IntN(busy) != 0 {
			p.s.Pass(c, 0, &a)
			p.s.EnterIdle(c, 0, &a)
			a.Reset()
		}
	}
	p.req = Request{Context: p.s.Table.NewContext(image, process.Fair), Process: image, Near: true}
	return p
}

const batch = 64

// time returns the mean and the 99th percentile, in nanoseconds a decision, of
// batches of decisions from every CPU in turn.
func (p *priced) time(batches int, v *View) (mean, p99 float64) {
	times := make([]float64, batches)
	for i := range times {
		began := time.Now()
		for range batch {
			p.s.Place(p.from, p.now, &p.req, v)
			if p.from++; int(p.from) == p.s.Topology.Count {
				p.from = 0
			}
		}
		times[i] = float64(time.Since(began).Nanoseconds()) / batch
		mean += times[i] / float64(batches)
	}
	slices.Sort(times)
	return mean, times[batches*99/100]
}

func TestCostOfADecision(t *testing.T) {
	v := new(View)
	for _, m := range costShapes {
		for _, busy := range []int{0, 2, 1} {
			p := price(t, m.shape, busy)
			p.time(200, nil)
			mean, p99 := p.time(500, nil)
			scan, _ := p.time(max(4, 4000/m.cpus), v)
			lines, refused := p.lines()
			t.Logf("%5d CPUs, %s: %7.1f ns a decision, p99 of batches %7.1f, scan %8.1f, 1/%.1f; %.2f far lines, %.2f refused",
				m.cpus, []string{"all asleep", "none free ", "half busy "}[busy], mean, p99, scan, scan/mean, lines, refused)
		}
	}
}

// lines returns the lines a decision read of other LLC domains.
func (p *priced) lines() (lines, refused float64) {
	const n = 4096
	var l0, r0, l1, r1 uint64
	count := func() (lines, refused uint64) {
		for c := range cpu.ID(p.s.Topology.Count) {
			l, r := p.s.Lines(c)
			lines, refused = lines+l, refused+r
		}
		return
	}
	l0, r0 = count()
	p.time(n/batch, nil)
	l1, r1 = count()
	return float64(l1-l0) / n, float64(r1-r0) / n
}
