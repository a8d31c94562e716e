package sched

import (
	"hearth/cpu"
	"hearth/process"
	"math/bits"
	"time"
)

// answerPull serves the CPU that asked for work. If nothing that waits here may run
// there, another CPU with surplus is asked in its name.
func (s *Scheduler) answerPull(c cpu.ID, now time.Duration, a *Actions) bool {
	h, l := &s.handles[c], &s.locals[c]
	word := h.pull.Load() // pairs with the compare-and-swap in request
	if word == 0 {
		return false
	}
	h.pull.Store(0)
	l.sought = false // others may have asked at the same moment, in vain
	to, first := asker(word)
	for id := l.first(); id != 0 && s.try(c); {
		if s.handOver(c, now, id, to, a) {
			s.passOn(c, now, to, first, a) // it may have gone to a better CPU
			return true
		}
		id = s.after(l, id)
	}
	s.passOn(c, now, to, first, a)
	return false
}

// handOver sends id, queued on c, to the CPU that asked or, if the core of that has
// become busy since, to the best CPU that there is.
func (s *Scheduler) handOver(c cpu.ID, now time.Duration, id process.ContextID, to cpu.ID, a *Actions) bool {
	n := &s.nodes[id]
	if n.flags&flagMovable == 0 || id == s.locals[c].partner || !s.mayRun(id, to) {
		return false
	}
	if s.busyAround(to) != 0 && s.pushTo(c, now, id, a) {
		return true
	}
	var r Raw
	s.read(to, now, false, &r)
	if !r.Free() || !s.tryClaim(&r, n.band) {
		return false
	}
	s.migrate(c, now, id, to, MovePull, a)
	return true
}

// A request for work is one word: the CPU that asks + 1, and in the high half the
// CPU that was asked first.
func pullWord(c, first cpu.ID) uint32 { return uint32(c) + 1 | uint32(first)<<16 }

func asker(word uint32) (c, first cpu.ID) {
	return cpu.ID(word&0xffff) - 1, cpu.ID(word >> 16)
}

// request asks victim for work in the name of to; false if another request is
// there already.
func (s *Scheduler) request(c cpu.ID, now time.Duration, victim, to, first cpu.ID, a *Actions) bool {
	if !s.handles[victim].pull.CompareAndSwap(0, pullWord(to, first)) { // pairs with answerPull
		return false
	}
	s.ring(c, now, victim, always, KickPull, a)
	return true
}

// seek asks a CPU with surplus for a context: of c's LLC domain or, if none has any
// there, of the machine. If another CPU asks it at the same moment, its pass is on its
// way and finds us asleep.
func (s *Scheduler) seek(c cpu.ID, now time.Duration, a *Actions) {
	own := s.groups.llc[s.groups.llcOf(c)]
	for g := own.lo; g < own.hi; g++ {
		if s.seekIn(c, now, g, a) {
			return
		}
	}
	asked := 0
	first := s.groups.of[c]
	for i := int32(1); i < s.groups.count && asked < maxSought; i++ {
		g := (first + i) % s.groups.count
		if g >= own.lo && g < own.hi || s.hints[g>>6][hintSurplus].Load()>>(g&63)&1 == 0 {
			continue
		}
		s.locals[c].lines++
		if s.seekIn(c, now, g, a) {
			return
		}
		if !s.dropSurplus(g) {
			asked++ // all that have some there are being asked
		}
	}
}

const (
	// maxSought bounds the groups with surplus of which a CPU that goes idle finds all
	// CPUs asked already: each of those makes a pass soon, and sees it asleep.
	maxSought = 4
	// maxRead bounds the CPUs of a group between which it chooses.
	maxRead = 4
)

// seekIn asks, of a few CPUs of a group that have surplus and whom nobody asks yet, the
// one with most. False: there is none.
func (s *Scheduler) seekIn(c cpu.ID, now time.Duration, g int32, a *Actions) bool {
	// Comes after c's sleep was published: pairs with publishSurplus in balance.
	set := s.summaries[g].surplus.Load()
	victim, most := cpu.None, uint32(0)
	from := s.groups.at(&s.groups.all[g], g, c)
	for read := 0; set != 0 && read < maxRead; {
		b := bits.TrailingZeros64(set)
		if behind := set >> from << from; behind != 0 {
			b = bits.TrailingZeros64(behind)
		}
		set &^= 1 << b
		i := s.groups.ids[s.groups.all[g].base+int32(b)]
		h := &s.handles[i]
		if i == c || h.pull.Load() != 0 {
			continue
		}
		read++
		if surplus := h.surplus.Load(); surplus > most {
			victim, most = i, surplus
		}
	}
	return victim != cpu.None && s.request(c, now, victim, c, victim, a)
}

// dropSurplus takes back the hint of a group that has no surplus any more; false if it
// has. A CPU publishes its surplus in the group, then sets the hint if it is not set:
// either it sees the hint gone, or we see the surplus here and restore it.
func (s *Scheduler) dropSurplus(g int32) bool {
	if s.summaries[g].surplus.Load() != 0 {
		return false
	}
	w, b := &s.hints[g>>6][hintSurplus], uint64(1)<<(g&63)
	w.And(^b)
	if s.summaries[g].surplus.Load() == 0 {
		return true
	}
	w.Or(b)
	return false
}

// passOn asks the next CPU round the machine that has surplus, for to, if that still
// has nothing to do. The round ends before the CPU that was asked first.
func (s *Scheduler) passOn(c cpu.ID, now time.Duration, to, first cpu.ID, a *Actions) {
	if !s.isFree(to) {
		return
	}
	start := s.following(c)
	end := s.distance(start, first)
	for i, at := int32(0), s.groups.pieceOf[start]; i <= s.groups.runs; i++ {
		p := &s.groups.pieces[at]
		if at++; at == s.groups.runs {
			at = 0
		}
		if i > 0 && s.distance(start, p.first) >= end {
			return
		}
		if s.hints[p.group>>6][hintSurplus].Load()>>(p.group&63)&1 == 0 {
			continue
		}
		set := s.summaries[p.group].surplus.Load() & (bitsBelow(p.count) << p.bit)
		if i == 0 {
			set &^= bitsBelow(int32(start-p.first)) << p.bit // those before start come last
		}
		for ; set != 0; set &= set - 1 {
			v := s.groups.ids[s.groups.all[p.group].base+int32(bits.TrailingZeros64(set))]
			if v != to && v != c && s.distance(start, v) < end && s.request(c, now, v, to, first, a) {
				return
			}
		}
	}
}
