package sched

import (
	"hearth/cpu"
	"math/bits"
)

// searchGroups finds the best CPU of a level in the groups of the span near, or in
// all others: by the hints, so that groups which have none are not read.
func (s *Scheduler) searchGroups(q *query, l *level, near groupSpan, inside bool, r *answer) bool {
	var set groupSet
	if !s.hinted(q, l, near, inside, &set) {
		return false
	}
	for slot, last := s.shallower(-1); slot >= 0; slot, last = s.shallower(last) {
		if s.walk(q, l, slot, &set, r) {
			return true
		}
	}
	return false
}

// hinted makes set the groups that the hints promise a CPU of the level in; false if
// there are none.
func (s *Scheduler) hinted(q *query, l *level, near groupSpan, inside bool, set *groupSet) bool {
	some := uint64(0)
	for w := range s.groups.words {
		word := s.hints[w][hintAny].Load()
		if l.siblings == 0 {
			word = s.hints[w][hintCore].Load()
		}
		word &= s.groups.in[l.class][w]
		if q.process != 0 {
			word &^= s.homes.covered(q.process, w, l.home)
		}
		own := near.word(w)
		if inside {
			word &= own
		} else {
			word &^= own
		}
		set[w] = word
		some |= word
	}
	if !q.hinted {
		q.hinted = true
		q.lines++
	}
	return some != 0
}

// word returns the span's part of the w-th word of a set of groups.
func (n groupSpan) word(w int32) uint64 {
	lo, hi := n.lo-w*64, n.hi-w*64
	return bitsBelow(min(max(hi, 0), 64)) &^ bitsBelow(min(max(lo, 0), 64))
}

// walk goes round the machine's pieces from where the rotation starts, and takes the
// first CPU of the level and the exit latency: the pieces are in the order of ids, so
// it is the one at the smallest distance. The CPUs before the start in its own piece
// come last.
func (s *Scheduler) walk(q *query, l *level, slot int, set *groupSet, r *answer) bool {
	if !s.some(set, slot) {
		return false
	}
	first := s.groups.pieceOf[q.start]
	behind := bitsBelow(s.groups.bit[q.start])
	for i, at := int32(0), first; i <= s.groups.runs; i++ {
		p := &s.groups.pieces[at]
		if at++; at == s.groups.runs {
			at = 0
		}
		if !set.has(p.group) {
			continue
		}
		window := bitsBelow(p.count) << p.bit
		switch i {
		case 0:
			window &^= behind
		case s.groups.runs:
			window &= behind
		}
		if s.searchPiece(q, l, slot, p.group, window, r) {
			return true
		}
	}
	return false
}

// some reports whether a group of set has idle CPUs of an exit latency.
func (s *Scheduler) some(set *groupSet, slot int) bool {
	for w := range s.groups.words {
		if set[w]&s.hints[w][hintAt+slot].Load() != 0 {
			return true
		}
	}
	return false
}

// searchPiece takes the first CPU of a level and an exit latency in a part of a group.
func (s *Scheduler) searchPiece(q *query, l *level, slot int, g int32, window uint64, r *answer) bool {
	if s.hints[g>>6][hintAt+slot].Load()>>(g&63)&1 == 0 {
		return false
	}
	if !q.every && s.groups.gather(&s.groups.all[g], s.scratch(q))&window == 0 {
		return false
	}
	var v sight
	s.sight(q, g, &v)
	q.count(s.groups.all[g].llc, 1)
	for {
		found := s.at(&v, l) & window & s.summaries[g].at[slot].Load()
		if found == 0 {
			q.refused++
			return false
		}
		if s.verify(q, &v, bits.TrailingZeros64(found), l, r) {
			r.term = TermDistance
			return true
		}
	}
}

// searchBusy reads the CPUs of the mask where none is free. If they are more than
// scanLimit, only those of the asker's LLC domain and of some others.
func (s *Scheduler) searchBusy(q *query, r *answer) bool {
	all := s.scratch(q)
	if q.every {
		s.OnlineMask(all)
		s.isolated.subtract(all)
		q.every = false
	}
	if all.Count() > scanLimit {
		var m cpu.Mask
		s.sample(q, &m)
		if s.scan(q, &m, RawAnswering, r) {
			return true
		}
	}
	return s.scan(q, all, RawAnswering, r) || s.scan(q, all, 0, r)
}

const (
	// scanLimit is how many CPUs a placement reads one by one if none is free.
	scanLimit = 64
	// samples is how many groups besides the asker's it reads of a larger mask.
	samples = 3
)

// sample makes m the allowed CPUs of the asker's group and of the next few groups
// from the start of the rotation on that have some.
func (s *Scheduler) sample(q *query, m *cpu.Mask) {
	own := s.groups.of[q.asker]
	s.gatherInto(q, own, m)
	last := own
	at := s.groups.pieceOf[q.start]
	for i, n := int32(0), 0; i < s.groups.runs && n < samples; i++ {
		g := s.groups.pieces[at].group
		if at++; at == s.groups.runs {
			at = 0
		}
		if m.Count() > scanLimit {
			return
		}
		if g != own && g != last && s.gatherInto(q, g, m) {
			last = g
			n++
		}
	}
}

// gatherInto adds the allowed CPUs of a group to m; false if there are none.
func (s *Scheduler) gatherInto(q *query, g int32, m *cpu.Mask) bool {
	some := false
	for i := s.groups.all[g].piece; i >= 0; i = s.groups.pieces[i].next {
		p := &s.groups.pieces[i]
		for c := p.first; c < p.first+cpu.ID(p.count); c++ {
			if s.scratch(q).Has(c) {
				m.Set(c)
				some = true
			}
		}
	}
	return some
}

// scan ranks the CPUs of m that have the wanted flags, one after the other.
func (s *Scheduler) scan(q *query, m *cpu.Mask, want uint8, r *answer) bool {
	first, second := none, none
	for c := m.First(); c != cpu.None; c = m.Next(c) {
		var raw Raw
		s.read(c, q.now, q.band == bandBackground, &raw)
		q.count(s.groups.llcOf(c), 1)
		if raw.Flags&want != want {
			continue
		}
		s.readHomes(q, &raw)
		// What its siblings do is read only of a CPU that could be among the two best if
		// they all were free: of few, since the rotation tells most others apart.
		k := s.rankFor(q, &raw, 0)
		if !k.before(second) {
			continue
		}
		k.high |= uint64(s.busyAround(c)) << siblingsShift
		switch {
		case k.before(first):
			first, second = k, first
			r.cpu, r.word = c, raw.word
		case k.before(second):
			second = k
		}
	}
	r.rank = first
	r.term = termBetween(first, second)
	return first != none
}

// readHomes reads what of the process's homes counts for a CPU.
func (s *Scheduler) readHomes(q *query, r *Raw) {
	if q.process != 0 {
		r.Homes = s.homes.byCPU[q.process][r.CPU].Load()
		r.CoreHomes = s.homes.byCore[q.process][s.Topology.At[r.CPU].Core].Load()
	}
}

// termBetween returns the first term in which two packed keys differ, TermNone if
// there is no second one.
func termBetween(first, second rank) int32 {
	if second == none {
		return TermNone
	}
	var a, b Key
	first.unpack(&a)
	second.unpack(&b)
	return deciding(&a, &b)
}
