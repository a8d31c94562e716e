package sched

import (
	"hearth/cpu"
	"hearth/process"
)

// The threads of a gang work together more than with their spawner: what they share
// should be in one cache, and each should have a core. The first one placed chooses an
// LLC domain for all, the spawner's own if it has room, and the others follow it there;
// when that is full, the next one chooses again for those that are left. So a gang that
// fits into one domain is in one, and any other in as few as can be.

// toward returns the CPU whose LLC domain draws the context of req, spawned from c.
func (s *Scheduler) toward(c cpu.ID, req *Request) cpu.ID {
	if req.Cores <= 0 {
		return c
	}
	var m cpu.Mask
	s.candidates(req, &m)
	if to := req.Toward; to != cpu.None && s.room(to, &m, req.Process) > 0 {
		return to
	}
	return s.roomiest(c, &m, req)
}

// roomiest returns a CPU of the LLC domain for a gang: c's own or, running round the
// domains, the first one with enough room; if none has, the one with most.
func (s *Scheduler) roomiest(c cpu.ID, m *cpu.Mask, req *Request) cpu.ID {
	best, most := c, int32(-1)
	domains := int32(s.Topology.LLCs)
	for i, llc := int32(0), s.Topology.At[c].LLC; i < domains; i, llc = i+1, (llc+1)%domains {
		of := s.Topology.LLCMask(llc).First()
		room := s.room(of, m, req.Process)
		if room >= req.Cores {
			return of
		}
		if room > most {
			best, most = of, room
		}
	}
	return best
}

// room counts the cores of c's LLC domain that are wholly free, have a CPU of m and are
// no thread of the process's home.
func (s *Scheduler) room(c cpu.ID, m *cpu.Mask, p process.ID) (cores int32) {
	near := s.Topology.Near(c)
	for i := near.First(); i != cpu.None; i = near.Next(i) {
		of := s.Topology.Siblings(i)
		if i == of.First() && of.Intersects(m) && s.wholeCore(of) && s.CoreHomes(p, s.Topology.At[i].Core) == 0 {
			cores++
		}
	}
	return cores
}

// wholeCore reports whether no online CPU of a core has anything to do.
func (s *Scheduler) wholeCore(of *cpu.Mask) bool {
	for i := of.First(); i != cpu.None; i = of.Next(i) {
		if s.online.has(i) && !s.isFree(i) {
			return false
		}
	}
	return true
}
