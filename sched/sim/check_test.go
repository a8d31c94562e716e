package sim

import (
	"hearth/cpu"
	"hearth/sched"
	"testing"
)

// still returns a machine that stands still with main running on its first CPU, all
// others asleep.
func still(t *testing.T, shape string) *machine {
	t.Helper()
	sc := &Scenario{Shape: shape, Main: []Op{Run(settling), Block()}}
	m, err := newMachine(sc, &Options{}, &random{1})
	if err != nil {
		t.Fatal(err)
	}
	for m.now < settling/2 && m.advance() {
		m.step++
		m.note(&m.cpus[m.last])
		m.check()
	}
	return m
}

func TestASecondThreadOnACoreIsNoticed(t *testing.T) {
	m := still(t, "L(2)s2")
	other := m.newThread("t", nil, 0, image, 0)
	for c, want := range []int{1, 0, 1, 0} { // main runs on CPU 0, whose sibling is 2
		m.out.Violations, m.o.Keep = nil, true
		req := sched.Request{Context: other.context, Process: image}
		only, err := m.mask("{" + string(rune('0'+c)) + "}")
		if err != nil {
			t.Fatal(err)
		}
		req.Mask = only
		if _, ok := m.s.Spawn(0, m.now, &req, &m.view, &m.cpus[0].act); !ok {
			t.Fatal("no CPU")
		}
		all, _ := m.mask(everyCPU)
		m.s.Table().Context(other.context).SetMask(all)
		m.checkCore(other, m.s.Table().Context(other.context).Home(), nil)
		if got := m.out.Violations["free-core-first"]; got != want {
			t.Errorf("sent to CPU %d: %d violations, want %d", c, got, want)
		}
		m = still(t, "L(2)s2")
		other = m.newThread("t", nil, 0, image, 0)
	}
}

func TestADecisionThatKicksTwoIsNoticed(t *testing.T) {
	m := still(t, "L(4)")
	v := &m.cpus[0]
	v.act.N = 2
	v.act.Events[0] = sched.Event{Kind: sched.EventKick, To: 1}
	if m.checkKicks(v, 0); m.err != nil {
		t.Errorf("one kick: %v", m.err)
	}
	v.act.Events[1] = sched.Event{Kind: sched.EventKick, To: 2}
	if m.checkKicks(v, 1); m.err != nil {
		t.Errorf("one kick of a later decision: %v", m.err)
	}
	if m.checkKicks(v, 0); brokenBy(m.err) != "bounded-decision" {
		t.Errorf("two kicks: %v", m.err)
	}
}

func TestTheGapIsThatToTheBestCPU(t *testing.T) {
	m := still(t, "L(2,2)")
	other := m.newThread("t", nil, 0, image, 0)
	req := sched.Request{Context: other.context, Process: image, Near: true}
	before := m.see(image)
	p, _ := m.s.Spawn(0, m.now, &req, &m.view, &m.cpus[0].act)
	if m.noteGap(&p, before); m.out.Gaps != 1 || m.out.GapWorst != 0 {
		t.Errorf("on CPU %d: %d placements, gap %v; want 1 without", p.CPU, m.out.Gaps, m.out.GapWorst)
	}
	p.CPU = 3 // another domain
	m.noteGap(&p, before)
	near := float64(work + m.costs.kickNear + m.costs.idleExit)
	far := near + float64(pairLines*(m.costs.lineFar-m.costs.lineNear)+m.costs.kickFar-m.costs.kickNear)
	if want := far/near - 1; m.out.GapWorst < want*0.999 || m.out.GapWorst > want*1.001 {
		t.Errorf("in another domain the gap is %v, want %v", m.out.GapWorst, want)
	}
	p.CPU = 0 // behind main
	if m.noteGap(&p, before); m.out.GapWorst < 0.9 {
		t.Errorf("behind another thread the gap is %v", m.out.GapWorst)
	}
}

// A CPU with background work alone is as good as one that sleeps, but for its own
// thread: it is no better one while another CPU sleeps.
func TestTheGapIsToNobodyWhoIsPreemptedWhileACPUSleeps(t *testing.T) {
	m := still(t, "L(1)s2")
	gapOn := func(c cpu.ID, state sched.Idle) float64 {
		m.out.Gaps, m.out.GapSum, m.out.GapWorst = 0, 0, 0
		m.view.N, m.view.Near = 2, false
		m.view.CPUs[0] = sched.Raw{CPU: 0, Flags: sched.RawAllowed | sched.RawAnswering | sched.RawPreemptible}
		m.view.CPUs[1] = sched.Raw{CPU: 1, Flags: sched.RawAllowed | sched.RawAnswering, Idle: uint8(state)}
		m.noteGap(&sched.Placement{CPU: c}, m.see(image))
		return m.out.GapWorst
	}
	for _, c := range []struct {
		on    cpu.ID
		other sched.Idle
		least float64
		most  float64
	}{{1, sched.Halted, 0, 0.01}, {0, sched.Halted, 0, 0.01}, {0, sched.Busy, 0, 0}, {1, sched.Busy, 0.9, 2}} {
		if got := gapOn(c.on, c.other); got < c.least || got > c.most {
			t.Errorf("on CPU %d, state of CPU 1 %d: gap %v, want %v to %v", c.on, c.other, got, c.least, c.most)
		}
	}
}
