package sched

import (
	"hearth/cpu"
	"time"
)

// Placement is the answer to a Request.
type Placement struct {
	CPU      cpu.ID
	Key      Key
	Term     int32  // the term that told it from the runner-up, TermNone without one; see Spawn
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

// Place proposes the CPU with the smallest key for req, spawned from c. It claims
// nothing. With a view it reads every CPU and leaves in the view what it read; without
// one it searches by summaries, see Spawn. False: the mask allows no online CPU.
func (s *Scheduler) Place(c cpu.ID, now time.Duration, req *Request, v *View) (p Placement, ok bool) {
	if v == nil {
		var q query
		var r answer
		s.query(c, now, req, &q)
		ok = s.search(&q, &r)
		r.placement(&q, 0, &p)
		return p, ok
	}
	var best Ranking
	s.begin(c, now, req, v)
	var m cpu.Mask
	s.candidates(req, &m)
	s.look(now, v, &m)
	ok = s.Explain(v, &best)
	return Placement{CPU: best.CPU, Key: best.Key, Term: best.Term, Start: v.Start}, ok
}

// placement makes p the placement that r proposes.
func (r *answer) placement(q *query, attempts int32, p *Placement) {
	p.CPU, p.Term, p.Start, p.Attempts = r.cpu, r.term, q.start, attempts
	r.rank.unpack(&p.Key)
}

// begin writes into v what is the same for every attempt.
func (s *Scheduler) begin(c cpu.ID, now time.Duration, req *Request, v *View) {
	v.Spawner, v.Start = s.toward(c, req), cpu.ID(s.locals[c].start)
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
	s.countBusy(v)
	want := wanted(v)
	first, second := none, none
	best.at = -1
	next := -1
	for i := range v.CPUs[:v.N] {
		r := &v.CPUs[i]
		if r.Flags&want != want {
			continue
		}
		k := s.rankOf(r, s.busySiblings(v, r), v.Start)
		if v.Near {
			k = s.near(k, r, v.Spawner)
		}
		if k.before(first) {
			first, second = k, first
			best.at, next = i, best.at
		} else if k.before(second) {
			second, next = k, i
		}
	}
	best.fill(v, first, second, next)
	return best.at >= 0
}

// none is a key behind all others.
var none = rank{^uint64(0), ^uint64(0)}

// fill completes a ranking from the packed keys of the best CPU and the next one.
func (b *Ranking) fill(v *View, first, second rank, next int) {
	b.CPU, b.RunnerUp, b.Term = cpu.None, cpu.None, TermNone
	if b.at >= 0 {
		b.CPU = v.CPUs[b.at].CPU
		first.unpack(&b.Key)
	}
	if next >= 0 {
		b.RunnerUp = v.CPUs[next].CPU
		second.unpack(&b.RunnerUpKey)
		b.Term = deciding(&b.Key, &b.RunnerUpKey)
	}
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
