package osbench

import (
	"fmt"
	"sync/atomic"
	"time"

	"hearth/sys"
)

func wakeRows() []*row {
	var rows []*row
	for _, p := range []struct {
		name  string
		arm   arm
		suite suite
	}{{"same_cpu", sameCPU, smoke}, {"smt", smt, core}, {"llc", near, smoke}, {"far", far, smoke}} {
		rows = append(rows, &row{name: "Wake/pingpong." + p.name, suite: p.suite, arm: p.arm, peers: 1,
			warm: 10, rounds: 100, ops: tripsPerRound, body: pingpong})
	}
	for _, a := range []arm{free, near, far} {
		rows = append(rows, stormRow("Wake/futex_wake_to_run/"+a.String(), smoke, a, 1, (*storm).drained))
	}
	for _, n := range []int{1, 4, 16, 64} {
		level := core
		if n == 4 {
			level = smoke
		}
		rows = append(rows,
			stormRow(fmt.Sprintf("Wake/storm.call.w%d", n), level, free, n, (*storm).called),
			stormRow(fmt.Sprintf("Wake/storm.drain.w%d", n), level, free, n, (*storm).drained))
	}
	return rows
}

func stormRow(name string, level suite, a arm, waiters int, took func(*storm) time.Duration) *row {
	return &row{name: name, suite: level, arm: a, peers: waiters, warm: 5, rounds: 100, ops: 1,
		body: func(r *run) error { return runStorm(r, took) }}
}

// storm is n threads that sleep on one word until a single call wakes them all.
type storm struct {
	generation uint32 // what they sleep on; odd after the end
	n          int32
	asleep     atomic.Int32 // announced, about to sleep or asleep
	left       atomic.Int32 // still to run in this round
	finished   uint32       // futex word of the caller: rounds that all have run
	over       atomic.Bool
	where      []span

	began, returned time.Duration // of the wake call
	lastRan         atomic.Int64  // when the last waiter ran
}

// called is the cost to the waker; drained the time until all have run.
func (s *storm) called() time.Duration  { return s.returned - s.began }
func (s *storm) drained() time.Duration { return time.Duration(s.lastRan.Load()) - s.began }

// settle is how long an announced waiter is given to fall asleep, and stormTries how
// often a round is repeated when one was not asleep yet: then it was no storm.
const (
	settle     = 100 * time.Microsecond
	stormTries = 50
)

func runStorm(r *run, took func(*storm) time.Duration) error {
	s := &storm{n: int32(r.peers), where: make([]span, r.peers)}
	var threads []sys.Thread
	for i := range r.peers {
		t, err := r.spawn(func() { s.waiter(i) })
		if err != nil {
			return err
		}
		threads = append(threads, t)
	}
	err := r.each(func(rd *round) error {
		for range stormTries {
			if s.round() == r.peers {
				rd.took = took(s)
				copy(rd.sides[1:], s.where)
				return nil
			}
		}
		return fmt.Errorf("in %d tries not all %d waiters were asleep", stormTries, r.peers)
	})
	s.end()
	for _, t := range threads {
		if _, lost := t.Join(); err == nil {
			err = lost
		}
	}
	return err
}

// round wakes all waiters, waits until they have run and returns how many the call
// woke from their sleep.
func (s *storm) round() int {
	s.awaitAsleep()
	s.asleep.Store(0)
	s.left.Store(s.n)
	finished := atomic.LoadUint32(&s.finished)
	s.began = sys.Now()
	atomic.AddUint32(&s.generation, 1)
	woken := sys.FutexWake(&s.generation, int(s.n))
	s.returned = sys.Now()
	for atomic.LoadUint32(&s.finished) == finished {
		sys.FutexWait(&s.finished, finished, sys.Forever)
	}
	return woken
}

func (s *storm) awaitAsleep() {
	var never uint32
	for s.asleep.Load() < s.n {
		sys.FutexWait(&never, 0, settle)
	}
	sys.FutexWait(&never, 0, settle)
}

func (s *storm) end() {
	s.over.Store(true)
	atomic.AddUint32(&s.generation, 1)
	sys.FutexWake(&s.generation, int(s.n))
}

func (s *storm) waiter(i int) {
	for generation := uint32(0); ; {
		s.asleep.Add(1)
		for atomic.LoadUint32(&s.generation) == generation {
			sys.FutexWait(&s.generation, generation, sys.Forever)
		}
		if s.over.Load() {
			return
		}
		ran := sys.Now()
		generation++
		cpu := sys.CurrentCPU()
		s.where[i] = span{cpu, cpu}
		s.ranAt(ran)
	}
}

// ranAt lets the last of the waiters wake the caller.
func (s *storm) ranAt(at time.Duration) {
	for last := s.lastRan.Load(); last < int64(at) && !s.lastRan.CompareAndSwap(last, int64(at)); {
		last = s.lastRan.Load()
	}
	if s.left.Add(-1) == 0 {
		atomic.AddUint32(&s.finished, 1)
		sys.FutexWake(&s.finished, 1)
	}
}
