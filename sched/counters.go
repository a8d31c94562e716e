package sched

import "hearth/cpu"

// Counter names one of a CPU's counters.
type Counter int

const (
	// Kicks counts kicks sent by the CPU.
	Kicks Counter = iota
	// KicksMerged counts posts that found a kick on its way.
	KicksMerged
	// Wakes counts wake-ups by the CPU.
	Wakes
	// WakesLocal counts those whose home it is.
	WakesLocal
	// Spawns counts placements by the CPU.
	Spawns
	// Migrations counts contexts that left the CPU's queue for another CPU.
	Migrations
	// Crossings counts kicks sent to another LLC domain.
	Crossings
	// Preemptions counts contexts that had to give up the CPU.
	Preemptions
	// Dispatches counts contexts that began to run.
	Dispatches
	// Halts counts halts.
	Halts
	// Retries counts claims lost to another CPU.
	Retries
	// Polls counts how often the CPU polled before it halted.
	Polls

	counterKinds = iota
)

func (s *Scheduler) count(c cpu.ID, k Counter) { s.locals[c].counters[k].Add(1) }

// Counter returns a counter of c; any CPU may read it at any time.
func (s *Scheduler) Counter(c cpu.ID, k Counter) uint64 { return s.locals[c].counters[k].Load() }

// Total returns the sum of a counter over all CPUs.
func (s *Scheduler) Total(k Counter) uint64 {
	sum := uint64(0)
	for c := 0; c < s.Topology.Count; c++ {
		sum += s.locals[c].counters[k].Load()
	}
	return sum
}
