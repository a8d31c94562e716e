package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// Face is the published state of a CPU and its current context, for crash records
// and invariants.
type Face struct {
	Current    process.ContextID
	Idle       Idle
	Load       uint32 // queued and in transit, without background contexts
	Background uint32 // queued and in transit
	Surplus    uint32
	Heed       uint32
	Mail       bool   // something is posted
	Pull       cpu.ID // asks it for work, cpu.None if none does
	Recalls    bool   // it came back and has yet to call what runs elsewhere for want of it
}

// Look returns the face of c. Current is exact only on c itself or on a machine
// that stands still.
func (s *Scheduler) Look(c cpu.ID) Face {
	h := &s.handles[c]
	word := h.load.Load()
	pull, _ := asker(h.pull.Load())
	return Face{
		Current:    s.locals[c].current,
		Idle:       Idle(h.idle.Load()),
		Load:       ordinary(word),
		Background: background(word),
		Surplus:    h.surplus.Load(),
		Heed:       h.heed.Load(),
		Mail:       h.mail(),
		Pull:       pull,
		Recalls:    h.recall.Load() != 0 || s.locals[c].calling != 0,
	}
}

// Queued copies c's run queue to out, in the order in which it would run, and
// returns its length, which may exceed that of out. Call it on c, or on a machine
// that stands still.
func (s *Scheduler) Queued(c cpu.ID, out []process.ContextID) int {
	n := 0
	for b := range s.locals[c].queues {
		from := n
		for id := s.locals[c].queues[b].root; id != 0; id = s.next(byTurn, id) {
			s.insert(out, from, n, id)
			n++
		}
	}
	return n
}

// insert puts id into its place among those of its band in out, which stand from one
// index to before another; what finds no room is the last one.
func (s *Scheduler) insert(out []process.ContextID, from, to int, id process.ContextID) {
	for i := from; i < min(to+1, len(out)); i++ {
		if i == to {
			out[i] = id
		} else if s.earlier(byTurn, id, out[i]) {
			out[i], id = id, out[i]
		}
	}
}

// Posted copies the contexts that were posted to c and are not yet in its run queue
// to out and returns their number, which may exceed the length of out. Call it on a
// machine that stands still.
func (s *Scheduler) Posted(c cpu.ID, out []process.ContextID) int {
	l := &s.locals[c]
	n := s.follow(l.arriving, 0, out)
	n = s.follow(l.turned, n, out)
	n = s.follow(l.turning, n, out)
	return s.follow(process.ContextID(s.handles[c].inbox.Load()), n, out)
}

// follow copies a list of posted contexts behind the first n of out.
func (s *Scheduler) follow(id process.ContextID, n int, out []process.ContextID) int {
	for ; id != 0; id = s.nodes[id].posted {
		if n < len(out) {
			out[n] = id
		}
		n++
	}
	return n
}

// Armed reports whether a context has an alarm. Call it on its CPU, or on a machine
// that stands still.
func (s *Scheduler) Armed(id process.ContextID) bool { return s.nodes[id].flags&flagArmed != 0 }

// Due returns c's earliest alarm and whose it is, a negative time if c has none. Call
// it on c, or on a machine that stands still.
func (s *Scheduler) Due(c cpu.ID) (at time.Duration, id process.ContextID) {
	if id = s.locals[c].alarms.root; id == 0 {
		return -1, 0
	}
	return s.deadline(id), id
}
