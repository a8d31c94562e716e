package sched

import (
	"hearth/cpu"
	"math/bits"
)

// sight is what a search knows of one group.
type sight struct {
	group   int32
	free    uint64 // CPUs that may be free
	online  uint64
	allowed uint64 // by the mask
	shared  uint64 // CPUs with a sibling that is not free
	homes   uint64 // of the process
	beside  uint64 // their siblings
}

// level is what the terms of a free CPU's key say, down to home.
type level struct {
	siblings int // 1: its sibling is not free
	class    int32
	home     int
}

// searchFree finds the best free CPU of the mask: the levels of the key in their
// order, in each the spawner's LLC domain first.
func (s *Scheduler) searchFree(q *query, r *answer) bool {
	var own sight
	near := groupSpan{-1, -1}
	if q.spawner != cpu.None {
		near = s.groups.llc[s.groups.llcOf(q.spawner)]
		s.sight(q, near.lo, &own)
	}
	homes := 1
	if q.process != 0 {
		homes = 3
	}
	var l level
	for l.siblings = 0; l.siblings < 2; l.siblings++ {
		for l.class = 0; l.class < s.groups.classes; l.class++ {
			for l.home = 0; l.home < homes; l.home++ {
				if near.hi-near.lo == 1 {
					if s.searchGroup(q, &own, &l, r) {
						return true
					}
				} else if near.hi > near.lo && s.searchGroups(q, &l, near, true, r) {
					return true
				}
				if s.searchGroups(q, &l, near, false, r) {
					return true
				}
			}
		}
	}
	return false
}

// sight reads the summary of a group.
func (s *Scheduler) sight(q *query, g int32, v *sight) {
	x, sum := &s.groups.all[g], &s.summaries[g]
	v.group = g
	v.online = sum.online.Load()
	v.free = sum.idle.Load()
	if q.every {
		v.allowed = v.online &^ s.isolation[g].Load()
	} else {
		v.allowed = s.groups.gather(x, s.scratch(q))
	}
	v.shared = s.groups.siblingsOf(x, v.online&^v.free)
	if q.process != 0 {
		v.homes = s.homes.of(q.process, x)
		v.beside = s.groups.siblingsOf(x, v.homes)
	}
}

// refuse takes out of sight a CPU that is not free.
func (s *Scheduler) refuse(q *query, v *sight, b int) {
	v.free &^= 1 << b
	v.shared = s.groups.siblingsOf(&s.groups.all[v.group], v.online&^v.free)
	q.refused++
}

// at returns the CPUs of a level.
func (s *Scheduler) at(v *sight, l *level) uint64 {
	set := v.free & v.allowed & s.groups.all[v.group].class[l.class]
	if l.siblings == 0 {
		set &^= v.shared // what is left when these have been tried is shared
	}
	switch l.home {
	case 0:
		return set &^ (v.homes | v.beside)
	case 1:
		return set & v.beside &^ v.homes
	}
	return set & v.homes
}

// searchGroup finds the best CPU of a level in the spawner's group, the only one of
// its LLC domain.
func (s *Scheduler) searchGroup(q *query, v *sight, l *level, r *answer) bool {
	for set := s.at(v, l); set != 0; set = s.at(v, l) {
		equals := s.shallowest(v.group, set)
		b := s.firstFrom(v.group, equals, q.start)
		if s.verify(q, v, b, l, r) {
			r.term = TermDistance
			if atMostOne(equals) {
				r.term = s.told(v, l, set)
			}
			return true
		}
	}
	return false
}

// told returns the term that tells the only CPU of its level and latency from the
// next one of its group: the next one of the machine may be of another group, and
// then equal in one term more.
func (s *Scheduler) told(v *sight, l *level, set uint64) int32 {
	others := v.free & v.allowed
	if l.siblings == 0 && !atMostOne(others&^v.shared) {
		others &^= v.shared
	}
	switch {
	case !atMostOne(set):
		return TermLatency
	case atMostOne(others):
		return TermAwake
	case l.siblings == 0 && others&v.shared != 0:
		return TermSiblings
	case atMostOne(others & s.groups.all[v.group].class[l.class]):
		return TermCapacity
	}
	return TermHome
}

// shallowest returns the CPUs of set whose idle state is left soonest.
func (s *Scheduler) shallowest(g int32, set uint64) uint64 {
	if atMostOne(set) || s.latency[1].Load() == 0 {
		return set
	}
	sum := &s.summaries[g]
	for slot, last := s.shallower(-1); slot >= 0; slot, last = s.shallower(last) {
		if equals := set & sum.at[slot].Load(); equals != 0 {
			return equals
		}
	}
	return set // they change at this moment
}

// firstFrom returns the first CPU of set from start on, running round.
func (s *Scheduler) firstFrom(g int32, set uint64, start cpu.ID) int {
	if !atMostOne(set) {
		from := s.groups.at(&s.groups.all[g], g, start)
		if behind := set >> from << from; behind != 0 {
			set = behind
		}
	}
	return bits.TrailingZeros64(set)
}

// atMostOne reports whether set has one CPU or none.
func atMostOne(set uint64) bool { return set&(set-1) == 0 }

// verify asks the handles of a CPU, and of the sibling that must be free too, whether
// it is what its group's summary shows. If not, it is out of sight.
func (s *Scheduler) verify(q *query, v *sight, b int, l *level, r *answer) bool {
	x := &s.groups.all[v.group]
	slot := x.base + int32(b)
	r.cpu = s.groups.ids[slot]
	h := &s.handles[r.cpu]
	r.word = h.load.Load()
	idle := Idle(h.idle.Load())
	q.count(x.llc, 1)
	if !free(r.word, idle) {
		s.refuse(q, v, b)
		return false
	}
	if other := s.groups.sibling[slot]; l.siblings == 0 && other >= 0 && v.online>>other&1 != 0 {
		q.count(x.llc, 1)
		if !s.isFree(s.groups.ids[x.base+other]) {
			s.refuse(q, v, int(other))
			return false
		}
	}
	r.rank = s.rankFree(q, x, l, r.cpu)
	if idle == Halted {
		r.rank.low |= uint64(h.latency.Load()) << latencyShift
	}
	return true
}

// rankFree is the rank of a free CPU, but for its exit latency.
func (s *Scheduler) rankFree(q *query, x *group, l *level, c cpu.ID) rank {
	high := uint64(l.siblings)<<siblingsShift | uint64(s.groups.slow[l.class])<<capacityShift | uint64(l.home)<<homeShift
	if q.spawner != cpu.None && x.llc != s.groups.llcOf(q.spawner) {
		high |= 1 << farShift
	}
	return rank{high, uint64(s.distance(q.start, c)) << distanceShift}
}

// free reports whether a CPU has nothing to do, as Raw's Free does.
func free(load uint64, idle Idle) bool {
	return uint32(load) == 0 && idle.asleep()
}

func (s *Scheduler) isFree(c cpu.ID) bool {
	h := &s.handles[c]
	return free(h.load.Load(), Idle(h.idle.Load()))
}

// rankFor is r's rank for q with so many busy siblings.
func (s *Scheduler) rankFor(q *query, r *Raw, busy uint32) rank {
	k := s.rankOf(r, busy, q.start)
	if q.spawner != cpu.None {
		k = s.near(k, r, q.spawner)
	}
	return k
}
