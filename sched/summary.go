package sched

import (
	"hearth/cpu"
	"sync/atomic"
)

// summary is what a group's CPUs say of themselves, in one line that they alone
// write. A CPU sets its bit in idle before it publishes that it sleeps and clears it
// after it has published that it is busy, so idle holds every free CPU and perhaps
// others: a search takes the best CPU as idle shows it and then asks its handle.
type summary struct {
	idle    atomic.Uint64
	online  atomic.Uint64
	surplus atomic.Uint64            // CPUs with queued contexts that may run elsewhere
	at      [latencies]atomic.Uint64 // idle, by exit latency
}

// latencies bounds the exit latencies that summaries tell apart: none and four
// others. With more, placements read every CPU.
const latencies = 5

// hints say of every group what a search may find there, for 64 groups a line. A
// hint may be out of date while somebody changes the group; whoever changed it
// brings it up to date (settleHint).
type hints [hintKinds]atomic.Uint64

const (
	hintCore    = iota // a core whose CPUs are all idle or offline
	hintAny            // an idle CPU
	hintSurplus        // a CPU with surplus; a seeker clears it
	hintAt             // and the next four: an idle CPU of that exit latency
	hintKinds   = hintAt + latencies
)

// fallAsleep puts c among the idle CPUs of its group; it will sleep in a state of
// that exit latency in nanoseconds. Call it before the state is published.
func (s *Scheduler) fallAsleep(c cpu.ID, latency uint32) {
	own, b := s.groups.of[c], uint64(1)<<s.groups.bit[c]
	sum := &s.summaries[own]
	k := s.latencySlot(latency)
	sum.at[k].Or(b)
	sum.idle.Or(b)
	s.settleHint(own, hintAt+k)
	s.settleHint(own, hintAny)
	s.settleHint(own, hintCore)
}

// awaken takes c out again. Call it after Busy is published.
func (s *Scheduler) awaken(c cpu.ID) {
	own, b := s.groups.of[c], uint64(1)<<s.groups.bit[c]
	sum := &s.summaries[own]
	if sum.idle.Load()&b == 0 {
		return
	}
	sum.idle.And(^b)
	for k := range sum.at {
		if sum.at[k].Load()&b != 0 {
			sum.at[k].And(^b)
			s.settleHint(own, hintAt+k)
		}
	}
	s.settleHint(own, hintAny)
	s.settleHint(own, hintCore)
}

// sink tells that c, which polled, halts now in a state of that exit latency. Call it
// after Halted is published; until then c is found as what it was.
func (s *Scheduler) sink(c cpu.ID, latency uint32) {
	k := s.latencySlot(latency)
	if k == 0 {
		return
	}
	own, b := s.groups.of[c], uint64(1)<<s.groups.bit[c]
	sum := &s.summaries[own]
	sum.at[k].Or(b)
	sum.at[0].And(^b)
	s.settleHint(own, hintAt+k)
	s.settleHint(own, hintAt)
}

// settleOnline makes c's bit in its group agree with the set of online CPUs, in the
// way of settleHint. An offline CPU is never found, and keeps no sibling from having
// a core alone.
func (s *Scheduler) settleOnline(c cpu.ID) {
	own, b := s.groups.of[c], uint64(1)<<s.groups.bit[c]
	w := &s.summaries[own].online
	for {
		is := s.online.has(c)
		if (w.Load()&b != 0) == is {
			break
		}
		if is && w.Or(b)&b == 0 {
			s.share(c, 1)
		}
		if !is && w.And(^b)&b != 0 {
			s.share(c, -1)
		}
	}
	for kind := range hintKinds {
		if kind != hintSurplus {
			s.settleHint(own, kind)
		}
	}
}

// share counts the online CPUs that are not isolated.
func (s *Scheduler) share(c cpu.ID, n int32) {
	if !s.isolated.has(c) {
		s.shared.Add(n)
	}
}

// settleHint makes a hint agree with its group. It ends when it has seen the group
// and then the same in the hint. Of two that change the group, the later one sees the
// outcome of both; if the hint is nevertheless written wrongly after it has ended,
// then by one that read the group before; that one reads the group again after its
// write, and corrects it.
func (s *Scheduler) settleHint(g int32, kind int) {
	for !agree(&s.hints[g>>6][kind], g, s.hintHolds(g, kind)) {
	}
}

func (s *Scheduler) hintHolds(g int32, kind int) bool {
	sum := &s.summaries[g]
	online, idle := sum.online.Load(), sum.idle.Load()
	switch kind {
	case hintCore:
		return idle&online&^s.groups.siblingsOf(&s.groups.all[g], online&^idle) != 0
	case hintAny:
		return idle&online != 0
	}
	return sum.at[kind-hintAt].Load()&online != 0
}

// latencySlot returns which of the words at stands for an exit latency, and takes one
// for a new latency. If there is none left, the summaries are of no use any more.
func (s *Scheduler) latencySlot(latency uint32) int {
	for k := range s.latency {
		v := &s.latency[k]
		if k == 0 && latency == 0 {
			return 0
		}
		if k > 0 && (v.Load() == latency || v.CompareAndSwap(0, latency) || v.Load() == latency) {
			return k
		}
	}
	s.rough.Store(1)
	return 0
}

// shallower returns the slot of the smallest latency above last, -1 for the first
// one; it is -1 if there is none.
func (s *Scheduler) shallower(last int64) (slot int, latency int64) {
	slot, latency = -1, 1<<32
	for k := range s.latency {
		v := int64(s.latency[k].Load())
		if (v != 0 || k == 0) && v > last && v < latency {
			slot, latency = k, v
		}
	}
	return slot, latency
}
