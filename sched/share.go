package sched

import (
	"hearth/cpu"
	"time"
)

// A more urgent band runs first, but not alone: what runs in a lower one may hold what
// a more urgent thread waits for, a lock of the language runtime or the stop of its
// world, and must come to let go of it. So a band that is kept waiting is owed a share.
//
// While a CPU has background contexts to run all the time, they get sharePart of every
// sharePeriod, a 64th, at the expense of fair ones. Real-time contexts give way only
// after realTimePatience more: fair and background ones then get sharePart each, so
// that none waits longer than sharePeriod + realTimePatience, and what else is owed.
const (
	sharePeriod      = 4 * Slice
	sharePart        = sharePeriod / 64
	realTimePatience = 12 * Slice
)

// share is what a band is owed.
type share struct {
	due  time.Duration // when it may run although a more urgent one wants to; negative: it is not kept waiting
	left time.Duration // what it has not had of its part
}

// wants reports whether band b has something to run, the current context included.
func (s *Scheduler) wants(l *local, b band) bool {
	return l.queues[b].root != 0 || l.current != 0 && s.nodes[l.current].band == b
}

// entitled returns when band b, which is kept waiting, may run nevertheless; negative
// for never.
func (s *Scheduler) entitled(l *local, b band) time.Duration {
	at := l.shares[b].due
	if at >= 0 && s.wants(l, bandRealTime) {
		at += realTimePatience
	}
	return at
}

// bandToRun returns the band whose turn it is on c, bands if nothing wants to run.
func (s *Scheduler) bandToRun(l *local, now time.Duration) band {
	for b := band(bandBackground); b > bandRealTime; b-- {
		if at := s.entitled(l, b); at >= 0 && now >= at && l.shares[b].left > 0 && s.wants(l, b) {
			return b
		}
	}
	for b := band(0); b < bands; b++ {
		if s.wants(l, b) {
			return b
		}
	}
	return bands
}

// useShare takes what the current context has run since the last time off the share of
// its band.
func (s *Scheduler) useShare(c cpu.ID, now time.Duration) {
	l := &s.locals[c]
	if l.current != 0 {
		l.shares[s.nodes[l.current].band].left -= now - l.accounted
	}
	l.accounted = now
}

// renewShares begins the waits of the bands that a more urgent one keeps waiting from
// now on, and ends those of the others. A share that has been had comes again after a
// period.
func (s *Scheduler) renewShares(l *local, now time.Duration) {
	kept := s.wants(l, bandRealTime)
	for b := band(bandFair); b < bands; b++ {
		sh, wants := &l.shares[b], s.wants(l, b)
		switch {
		case !wants || !kept:
			*sh = share{-1, sharePart}
		case sh.due < 0 || sh.left <= 0:
			*sh = share{now + sharePeriod, sharePart}
		}
		kept = kept || wants
	}
}

// nextShare returns when c must look again because of a share, at if that is earlier:
// when one begins, or when the one that the current context runs on is used up.
func (s *Scheduler) nextShare(l *local, now, at time.Duration) time.Duration {
	if l.current == 0 {
		return at
	}
	current := s.nodes[l.current].band
	for b := band(bandFair); b < bands; b++ {
		if l.shares[b].due < 0 || !s.wants(l, b) {
			continue
		}
		switch from := s.entitled(l, b); {
		case b == current && l.urgent(b):
			at = sooner(at, now+l.shares[b].left)
		case b != current && from > now: // else a lower one has its part now
			at = sooner(at, from)
		}
	}
	return at
}
