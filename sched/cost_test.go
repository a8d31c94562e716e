package sched

import (
	"hearth/cpu"
	"hearth/process"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// costShape is a machine of the cost table.
type costShape struct {
	cpus  int
	shape string
	ratio float64 // the least factor between the scan and the search
}

// costShapes are the machines of the cost table: SMT cores, in LLC domains of eight
// but for the smallest.
var costShapes = []*costShape{{8, "L(2)x2s2", 2}, {64, "L(8)x4s2", 8}, {256, "L(8)x16s2", 20}, {1024, "L(8)x64s2", 60}}

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

// times returns how many nanoseconds a decision took in each of so many batches, from
// every CPU in turn, in ascending order.
func (p *priced) times(batches int, v *View) []float64 {
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
	}
	slices.Sort(times)
	return times
}

// lines returns the lines of other LLC domains that a decision read, and how many
// groups and CPUs besides were not what they seemed.
func (p *priced) lines() (lines, refused float64) {
	count := func() (lines, refused float64) {
		for c := range cpu.ID(p.s.Topology.Count) {
			l, r := p.s.Lines(c)
			lines, refused = lines+float64(l), refused+float64(r)
		}
		return lines, refused
	}
	l, r := count()
	p.times(64, nil)
	lines, refused = count()
	return (lines - l) / (64 * batch), (refused - r) / (64 * batch)
}

// The cost table. Medians and percentiles are those of the host as it is; what is
// demanded is the factor to the scan, between the fastest batches of one run.
func TestCostOfADecision(t *testing.T) {
	v := new(View)
	for _, m := range costShapes {
		for i, state := range []string{"all asleep", "half busy", "none free"} {
			p := price(t, m.shape, []int{0, 2, 1}[i])
			p.times(100, nil)
			found, scanned := p.times(500, nil), p.times(max(20, 4000/m.cpus), v)
			lines, refused := p.lines()
			ratio := scanned[0] / found[0]
			t.Logf("%4d CPUs, %-10s: median %6.1f ns, fastest batch %6.1f, p99 %6.1f; scan %8.1f, 1/%.1f of it; %4.1f far lines, %.1f refused; %.1f million/s",
				m.cpus, state, found[len(found)/2], found[0], found[len(found)*99/100], scanned[0], ratio, lines, refused, 1000/found[len(found)/2])
			if state != "none free" {
				m.check(t, state, ratio, lines)
			}
		}
	}
}

func (m *costShape) check(t *testing.T, state string, ratio, lines float64) {
	t.Helper()
	if ratio < m.ratio {
		t.Errorf("%d CPUs, %s: the scan takes %.1f times as long, want %v at least", m.cpus, state, ratio, m.ratio)
	}
	if lines > 4 {
		t.Errorf("%d CPUs, %s: %.1f far lines a decision, want 4 at most", m.cpus, state, lines)
	}
}

// What a decision costs does not depend on the number of threads.
func TestADecisionCostsTheSameWithManyThreads(t *testing.T) {
	p := price(t, "L(8)x4s2", 0)
	cost := func(homes int32) float64 {
		p.s.addHome(image, 5, homes)
		defer p.s.addHome(image, 5, -homes)
		return p.times(100, nil)[0]
	}
	cost(1)
	few, many := 1e9, 1e9
	for range 100 { // until others on the host have let each run alone for a moment
		few, many = min(few, cost(1)), min(many, cost(100_000))
		if many <= few*1.02 {
			break
		}
	}
	t.Logf("a decision takes %.1f ns with 1 thread, %.1f with 100,000: %+.1f %%", few, many, 100*(many/few-1))
	if many > few*1.02 {
		t.Error("that is more than 2 %")
	}
}

func TestASearchAllocatesNothing(t *testing.T) {
	for _, busy := range []int{0, 1, 2} {
		p := price(t, "L(8)x16s2", busy)
		if n := testing.AllocsPerRun(10, func() { p.times(1, nil) }); n > 1 { // the slice of times
			t.Errorf("%v allocations in %d decisions", n-1, batch)
		}
	}
}
