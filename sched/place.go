package sched

import (
	"hearth/cpu"
	"time"
)

// Placement is the answer to a Request.
type Placement struct {
	CPU      cpu.ID
	Key      Key
	Term     int32  // the term that told it from the runner-up, TermNone without one
	Start    cpu.ID // where the rotation began
	Attempts int32  // claims tried, 1 if the first succeeded
}

// Ranking is what explains a placement: the best CPU and the next one.
type Ranking struct {
	CPU         cpu.ID
	Key         Key
	RunnerUp    cpu.ID // cpu.None if there is no other
	RunnerUpKey Key
	Term        int32 // the first term in which the two differ, TermNone without runner-up

	at int // the best one's entry in the view
}

// Place proposes the CPU with the smallest key for req, spawned from c, and leaves
// in v what it read. It claims nothing. False: the mask allows no online CPU.
func (s *Scheduler) Place(c cpu.ID, now time.Duration, req *Request, v *View) (Placement, bool) {
	var best Ranking
	s.begin(c, req, v)
	var m cpu.Mask
	s.candidates(req, &m)
	s.look(now, v, &m)
	ok := s.Explain(v, &best)
	return Placement{CPU: best.CPU, Key: best.Key, Term: best.Term, Start: v.Start}, ok
}

// begin writes into v what is the same for every attempt.
func (s *Scheduler) begin(c cpu.ID, req *Request, v *View) {
	v.Spawner, v.Start = c, cpu.ID(s.locals[c].start)
	v.Process, v.Near = req.Process, req.Near
	v.Background = bandOf(s.Table.Context(req.Context).Class()) == bandBackground
	v.Attempt = 0
}

// candidates makes m the CPUs that req allows.
func (s *Scheduler) candidates(req *Request, m *cpu.Mask) {
	if req.Mask == nil {
		s.allowed(req.Context, m)
		return
	}
	*m = *req.Mask
	s.restrict(m, true)
}

// Explain ranks the CPUs of a view and touches nothing else of the machine than its
// topology, so it explains a recorded decision as well as it makes one. False: the
// view has no candidate.
func (s *Scheduler) Explain(v *View, best *Ranking) bool {
	*best = Ranking{CPU: cpu.None, RunnerUp: cpu.None, Term: TermNone}
	s.countBusy(v)
	want := wanted(v)
	for i := range v.CPUs[:v.N] {
		r := &v.CPUs[i]
		if r.Flags&want != want {
			continue
		}
		var k Key
		s.key(v, r, s.busySiblings(v, r), &k)
		if best.offer(r.CPU, &k) {
			best.at = i
		}
	}
	if best.RunnerUp != cpu.None {
		best.Term = deciding(&best.Key, &best.RunnerUpKey)
	}
	return best.CPU != cpu.None
}

// offer enters c into the ranking and reports whether it is the best so far.
func (b *Ranking) offer(c cpu.ID, k *Key) bool {
	switch {
	case b.CPU == cpu.None || less(k, &b.Key):
		b.RunnerUp, b.RunnerUpKey = b.CPU, b.Key
		b.CPU, b.Key = c, *k
		return true
	case b.RunnerUp == cpu.None || less(k, &b.RunnerUpKey):
		b.RunnerUp, b.RunnerUpKey = c, *k
	}
	return false
}

// wanted returns the flags of a candidate: allowed and answering or, if no allowed
// CPU answers, just allowed.
func wanted(v *View) uint8 {
	const both = RawAllowed | RawAnswering
	for i := range v.CPUs[:v.N] {
		if v.CPUs[i].Flags&both == both {
			return both
		}
	}
	return RawAllowed
}

// countBusy counts, for each core in the view, its CPUs that are not free.
func (s *Scheduler) countBusy(v *View) {
	for i := range v.CPUs[:v.N] {
		v.busy[s.Topology.At[v.CPUs[i].CPU].Core] = 0
	}
	for i := range v.CPUs[:v.N] {
		if r := &v.CPUs[i]; !r.Free() {
			v.busy[s.Topology.At[r.CPU].Core]++
		}
	}
}

func (s *Scheduler) busySiblings(v *View, r *Raw) uint32 {
	return uint32(v.busy[s.Topology.At[r.CPU].Core]) - bit(!r.Free())
}
