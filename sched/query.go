package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// query asks for the CPU with the smallest key.
type query struct {
	asker   cpu.ID
	start   cpu.ID     // where the rotation begins
	spawner cpu.ID     // its LLC domain is preferred; cpu.None: none is
	process process.ID // its homes count; 0: none do
	band    band       // of the context that is placed
	every   bool       // every CPU that is online and not isolated is allowed, else those of the asker's scratch
	llc     int32      // LLC domain of the asker
	now     time.Duration

	hinted  bool   // the hints count as one line
	lines   uint32 // read of other LLC domains, apart from
	refused uint32 // groups and CPUs that were not what a summary promised
}

// answer is the CPU that a search found.
type answer struct {
	cpu  cpu.ID
	word uint64 // its load as the rank has it
	rank rank
	term int32 // see Placement
}

// query fills in what CPU c wants to know for req.
func (s *Scheduler) query(c cpu.ID, now time.Duration, req *Request, q *query) {
	s.begins(c, now, req.Context, q)
	if req.Near {
		q.spawner, q.process = s.toward(c, req), req.Process
	}
	q.every = req.Mask == nil && s.allowsEvery(req.Context)
	if !q.every {
		s.candidates(req, s.scratch(q))
	}
}

// queryFor fills in what CPU c wants to know for id, whose own mask holds and which
// nothing attracts.
func (s *Scheduler) queryFor(c cpu.ID, now time.Duration, id process.ContextID, q *query) {
	s.begins(c, now, id, q)
	if q.every = s.allowsEvery(id); !q.every {
		s.allowed(id, s.scratch(q))
	}
}

func (s *Scheduler) begins(c cpu.ID, now time.Duration, id process.ContextID, q *query) {
	q.asker, q.start, q.now = c, cpu.ID(s.locals[c].start), now
	q.llc = s.groups.llcOf(c)
	q.spawner, q.process = cpu.None, 0
	q.band = bandOf(s.Table.Context(id).Class())
	q.lines, q.refused, q.hinted = 0, 0, false
}

// allowsEvery reports whether id may run on every online CPU that is not isolated.
func (s *Scheduler) allowsEvery(id process.ContextID) bool {
	return !s.Table.Context(id).HasMask() && s.shared.Load() > 0
}

// search finds the CPU with the smallest key. If a CPU of the mask is free it is the
// one that a scan of all would find, on a machine that stands still; else it is the
// best of those that are read: all, if they are 64 at most. False: the mask allows no
// online CPU.
func (s *Scheduler) search(q *query, r *answer) bool {
	ok := s.usesSummaries(q) && s.searchFree(q, r) || s.searchBusy(q, r)
	s.account(q)
	return ok
}

// anyFree is search for a free CPU alone.
func (s *Scheduler) anyFree(q *query, r *answer) bool {
	var ok bool
	if s.usesSummaries(q) {
		ok = s.searchFree(q, r)
	} else {
		ok = s.searchBusy(q, r) && r.rank.high>>awakeShift == 0 // load and awake
	}
	s.account(q)
	return ok
}

func (s *Scheduler) account(q *query) {
	l := &s.locals[q.asker]
	l.lines += uint64(q.lines)
	l.refused += uint64(q.refused)
}

// usesSummaries reports whether there is a choice, and whether the summaries tell it.
func (s *Scheduler) usesSummaries(q *query) bool {
	if s.groups.wide || s.rough.Load() != 0 || s.policy == ByCost && q.process != 0 {
		return false
	}
	return q.every || !single(s.scratch(q))
}

// scratch is where the asker keeps the allowed CPUs of a query: 128 bytes more on the
// stack would have to be cleared each time.
func (s *Scheduler) scratch(q *query) *cpu.Mask { return &s.locals[q.asker].allowed }

// single reports whether m has one CPU at most.
func single(m *cpu.Mask) bool {
	one := false
	for _, w := range m {
		if w&(w-1) != 0 || one && w != 0 {
			return false
		}
		one = one || w != 0
	}
	return true
}

// Lines returns how many lines of other LLC domains the placements of c have read so
// far, and how many groups and CPUs among them besides were not what they seemed.
func (s *Scheduler) Lines(c cpu.ID) (lines, refused uint64) {
	return s.locals[c].lines, s.locals[c].refused
}

// count notes that n lines of an LLC domain were read.
func (q *query) count(llc int32, n uint32) {
	if llc != q.llc {
		q.lines += n
	}
}
