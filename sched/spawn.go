package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// maxAttempts bounds the claims of one spawn. Each lost one means that another CPU
// placed something, so losing them all takes as many others at the same CPU in the
// same moment.
const maxAttempts = 8

// Spawn places req's context, which is new or was popped from a reserve, claims the
// CPU and sends the context there. From then on it has a home and counts as load.
// False, and nothing changed: the mask allows no online CPU.
//
// With a view it reads every CPU and leaves in v what it read. Without one it searches
// by summaries (searchFree): the CPU is the same while a free one is allowed; its term
// tells it from the next one of its group, and where the best CPUs lie in many groups
// it is TermDistance. If none is free it reads up to 64 CPUs; of more, a sample.
func (s *Scheduler) Spawn(c cpu.ID, now time.Duration, req *Request, v *View, a *Actions) (Placement, bool) {
	id := req.Context
	x := s.Table.Context(id)
	from := x.State()
	if from != process.New && from != process.Blocked {
		panic(&faultSpawnState)
	}
	var p Placement
	var ok bool
	if v == nil {
		ok = s.claimFound(c, now, req, &p)
	} else {
		p, ok = s.claim(c, now, req, v)
	}
	if !ok {
		return p, false
	}
	s.locals[c].start = int32(s.following(p.CPU))
	if req.Mask != nil {
		x.SetMask(req.Mask)
	}
	s.setHome(id, p.CPU)
	s.placeNew(id)
	s.change(id, from, process.InTransit)
	s.count(c, Spawns)
	s.send(c, now, id, a)
	return p, true
}

// claim proposes a CPU and claims it by one compare-and-swap on its load word; if
// somebody else was faster it looks again. The last proposal is taken as it is.
func (s *Scheduler) claim(c cpu.ID, now time.Duration, req *Request, v *View) (Placement, bool) {
	b := bandOf(s.Table.Context(req.Context).Class())
	s.begin(c, now, req, v)
	var m cpu.Mask
	s.candidates(req, &m)
	for {
		var best Ranking
		s.look(now, v, &m)
		ok := s.Explain(v, &best)
		p := Placement{CPU: best.CPU, Key: best.Key, Term: best.Term, Start: v.Start, Attempts: v.Attempt + 1}
		if !ok || s.tryClaim(&v.CPUs[best.at], b) {
			return p, ok
		}
		s.count(c, Retries)
		v.Attempt++
		if v.Attempt == maxAttempts {
			s.handles[p.CPU].addLoad(b)
			return p, true
		}
	}
}

// claimFound is claim without a view.
func (s *Scheduler) claimFound(c cpu.ID, now time.Duration, req *Request, p *Placement) bool {
	var q query
	var r answer
	s.query(c, now, req, &q)
	for attempt := int32(1); ; attempt++ {
		ok := s.search(&q, &r)
		if !ok || s.claimAs(r.cpu, r.word, q.band) {
			r.placement(&q, attempt, p)
			return ok
		}
		s.count(c, Retries)
		if attempt == maxAttempts {
			s.handles[r.cpu].addLoad(q.band)
			r.placement(&q, attempt, p)
			return true
		}
	}
}

// tryClaim adds a context of band b to the load of r's CPU if that is as r shows.
func (s *Scheduler) tryClaim(r *Raw, b band) bool {
	return s.claimAs(r.CPU, r.word, b)
}

func (s *Scheduler) claimAs(c cpu.ID, word uint64, b band) bool {
	return s.handles[c].load.CompareAndSwap(word, loaded(word, b))
}

// following returns the CPU after c, running round the machine.
func (s *Scheduler) following(c cpu.ID) cpu.ID {
	if int(c)+1 >= s.Topology.Count {
		return 0
	}
	return c + 1
}

// send posts id, InTransit and counted in its home's load, and rings there.
func (s *Scheduler) send(c cpu.ID, now time.Duration, id process.ContextID, a *Actions) {
	x := s.Table.Context(id)
	to, b, o := x.Home(), bandOf(x.Class()), s.orderOf(id)
	everywhere := s.namesIsolated(x)
	s.post(to, id) // from here on it is the home's
	urgency := urgencyOf(b, s.overtakes(to, now, &o))
	if everywhere {
		urgency = always
	}
	s.ring(c, now, to, urgency, KickWake, a)
}

// namesIsolated reports whether x may run on an isolated CPU: what waits at its home
// may not, so no sleeper was sought there for it (heed), and every post of it rings.
func (s *Scheduler) namesIsolated(x *process.Context) bool {
	if s.isolates.Load() == 0 {
		return false
	}
	var m cpu.Mask
	return x.Mask(&m) && x.Class() != process.Service && s.isolated.intersects(&m)
}
