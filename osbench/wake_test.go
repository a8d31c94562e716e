package osbench

import (
	"math"
	"sync/atomic"
	"testing"
	"time"

	"hearth/sys"
)

func TestStormCountsARoundOnlyIfAllWereAsleep(t *testing.T) {
	m := thisMachine(t)
	for _, waiters := range []int{1, 4, 16} {
		r := stormRow("storm", smoke, free, waiters, (*storm).drained)
		r.rounds = 20
		res := r.measure(m, 1)
		if res.err != nil || len(res.rounds) != 20 {
			t.Fatalf("%d waiters: %d rounds, %v", waiters, len(res.rounds), res.err)
		}
		for i, rd := range res.rounds {
			if rd.took <= 0 || rd.took > 10*time.Second || len(rd.sides) != waiters+1 {
				t.Errorf("%d waiters, round %d: %v, sides %v", waiters, i, rd.took, rd.sides)
			}
		}
	}
}

func TestStormWakesSleepersOnly(t *testing.T) {
	s := &storm{n: 2, where: make([]span, 2)}
	late := make(chan bool)
	a, err := sys.Spawn(func() { s.waiter(0) })
	if err != nil {
		t.Fatal(err)
	}
	for status, _ := a.Status(); s.asleep.Load() == 0 || status.State != sys.Blocked; status, _ = a.Status() {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	// The second waiter says that it sleeps, and does not.
	b, err := sys.Spawn(func() { s.asleep.Add(1); <-late; s.where[1] = span{}; s.ranAt(sys.Now()) })
	if err != nil {
		t.Fatal(err)
	}
	woken := make(chan int)
	go func() { woken <- s.round() }()
	for atomic.LoadUint32(&s.generation) == 0 { // until the round has begun
		time.Sleep(time.Millisecond)
	}
	close(late)
	if n := <-woken; n != 1 {
		t.Errorf("the round woke %d sleepers, want 1", n)
	}
	s.end()
	a.Join()
	b.Join()
}

func TestStormMeasuresTheCallAndTheLastWaiter(t *testing.T) {
	s := &storm{n: 3, began: 100, returned: 130}
	for _, at := range []time.Duration{150, 190, 170} {
		s.left.Store(math.MaxInt32)
		s.ranAt(at)
	}
	if s.called() != 30 || s.drained() != 90 {
		t.Errorf("the call took %v, the drain %v; want 30 and 90", s.called(), s.drained())
	}
}

func TestPingpongKeepsBothSidesOfEveryRound(t *testing.T) {
	m := thisMachine(t)
	r := &row{name: "pingpong", arm: sameCPU, peers: 1, warm: 1, rounds: 50, ops: tripsPerRound, body: pingpong}
	res := r.measure(m, 1)
	if res.err != nil || len(res.rounds) != 50 {
		t.Fatalf("%d rounds, %v", len(res.rounds), res.err)
	}
	cpu := m.top.CPUs[0].ID
	for i, rd := range res.rounds {
		if rd.sides[1] != (span{cpu, cpu}) || rd.took <= 0 {
			t.Errorf("round %d: partner on CPUs %v, want %d; took %v", i, rd.sides[1], cpu, rd.took)
		}
	}
}
