package sched

import (
	"hearth/cpu"
	"time"
)

// always is an urgency that every busy CPU must be kicked for.
const always int32 = -1

// ring tells CPU to, which the caller posted to before, to look. A sleeper needs
// one kick; a poller and a CPU with a kick on its way look anyway; a busy CPU is
// kicked only for what is more urgent than it heeds. CPU c itself makes a pass at
// the end of this kernel entry.
func (s *Scheduler) ring(c cpu.ID, now time.Duration, to cpu.ID, urgency int32, reason Reason, a *Actions) {
	if c == to {
		return
	}
	h := &s.handles[to]
	for {
		// The post comes before this load. It pairs with answer (Kicked), EnterIdle
		// (Halted) and publish (heed), after each of which that CPU looks at its
		// inbox: either it finds the post, or we find the new state here.
		state := Idle(h.idle.Load())
		if state == Polling && reason != KickOnline {
			return // it reads its inbox, and nothing else
		}
		if state == Kicked {
			s.count(c, KicksMerged)
			return
		}
		heed := int32(h.heed.Load())
		if state == Busy && urgency >= heed {
			return
		}
		h.heard.Store(int64(now)) // silent by right until now
		if h.idle.CompareAndSwap(uint32(state), uint32(Kicked)) {
			s.sendKick(c, to, refine(reason, state, heed), a)
			return
		}
	}
}

// refine tells why a post kicks: the CPU sleeps, runs alone, or runs something less
// urgent.
func refine(reason Reason, state Idle, heed int32) Reason {
	switch {
	case reason != KickWake || state == Halted:
		return reason
	case heed == heedAll:
		return KickSlice
	}
	return KickPreempt
}

// sendKick has the caller send the kick that c's compare-and-swap won.
func (s *Scheduler) sendKick(c, to cpu.ID, reason Reason, a *Actions) {
	a.kick(c, to, reason)
	s.count(c, Kicks)
	if s.far(c, to) != 0 {
		s.count(c, Crossings)
	}
}

// answer takes note of a kick: from here on another one may be sent. Whoever saw
// Kicked posted before, and finds the inbox read after this store; pairs with ring.
func (h *handle) answer() {
	if Idle(h.idle.Load()) == Kicked {
		h.idle.Store(uint32(Busy))
	}
}

// mail reports whether something was posted.
func (h *handle) mail() bool { return h.inbox.Load() != 0 || h.requests.Load() != 0 }
