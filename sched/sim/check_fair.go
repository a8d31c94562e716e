package sim

import (
	"hearth/process"
	"hearth/sched"
	"slices"
	"time"
)

// What one CPU owes those that wait there: fair-bound. Two threads of a class that both
// stay on a CPU, and have both been given it since, get service in proportion to their
// weights: neither is ever ahead by more than a slice of its own and one of the
// other's, in virtual time. Before that, from the moment that the later one came, also
// by what may be claimed after a sleep. And no class is kept waiting for longer than its share
// allows.

const (
	// mostPaired is how many contexts a CPU may have for its pairs to be followed.
	mostPaired = 6
	// claimed is the service that a thread which slept may have before those that did not.
	claimed = 2 * time.Millisecond
	// kernelTime bounds what entries, late alarms and kicks take off the precision of a
	// slice or a share.
	kernelTime = 100 * time.Microsecond

	// The periods of docs/placement.md: how long a class waits for its share beside a
	// more urgent one, how much longer beside real-time threads, and the share itself.
	sharePeriod      = 4 * sched.Slice
	realTimePatience = 12 * sched.Slice
	sharePart        = sharePeriod / 64
)

// contest is a pair of threads of a class that are both on a CPU.
type contest struct {
	of     [2]*thread
	met    [2]time.Duration // what each had computed when the later one came
	given  [2]bool          // it was given the CPU since both are there
	before [2]time.Duration // what each had computed when both had been given it
	seen   bool             // both are still there
}

// contests is what the checker remembers of a CPU.
type contests struct {
	pairs   []contest
	current *thread
	waits   [ranks]wait
}

// ranks is how many classes tell by urgency: see rank.
const ranks = 3

// wait is how a class fares on a CPU.
type wait struct {
	there     bool          // it runs, or waits behind something more urgent
	since     time.Duration // when something of it ran last, or nothing waited
	ran       time.Duration // since when it runs; negative: it does not
	contended bool          // something more urgent waited when it began to run
	had       time.Duration // of its share, when a real-time thread cut it short
	beside    bool          // a real-time thread was there since
}

// checkFair holds what v gave to whom against fair-bound.
func (m *machine) checkFair(v *virtual) {
	if !m.own() || m.sc.Sparing > 0 {
		return
	}
	c := &v.contests
	m.meet(v)
	if v.mode == modePass || v.mode == modeSettle {
		return // it has not decided yet
	}
	if current := m.who(m.s.Current(v.id)); current != c.current {
		c.current = current
		for i := range c.pairs {
			c.pairs[i].give(current)
		}
	}
	for i := range c.pairs {
		m.checkPair(v, &c.pairs[i])
	}
	m.checkShares(v)
}

// meet makes the pairs of v those of the threads that are there.
func (m *machine) meet(v *virtual) {
	c := &v.contests
	if n := len(v.list); n < 2 || n > mostPaired {
		c.pairs = c.pairs[:0]
		return
	}
	for i, a := range v.list {
		for _, b := range v.list[i+1:] {
			if m.contend(a, b) {
				c.keep(m.who(a), m.who(b))
			}
		}
	}
	c.pairs = slices.DeleteFunc(c.pairs, func(p contest) bool { return !p.seen })
	for i := range c.pairs {
		c.pairs[i].seen = false
	}
}

// contend reports whether two contexts of a CPU take turns by virtual time.
func (m *machine) contend(a, b process.ContextID) bool {
	here := func(id process.ContextID) bool { return m.at(id).kind == running || m.at(id).kind == queued }
	return here(a) && here(b) && m.rankOf(a) == m.rankOf(b) && m.rankOf(a) != rank(process.RealTime)
}

// keep marks the pair of two threads as seen.
func (c *contests) keep(a, b *thread) {
	for i := range c.pairs {
		if p := &c.pairs[i]; p.of == [2]*thread{a, b} || p.of == [2]*thread{b, a} {
			p.seen = true
			return
		}
	}
	c.pairs = append(c.pairs, contest{of: [2]*thread{a, b}, met: [2]time.Duration{a.spent, b.spent}, seen: true})
}

// give notes that t was given the CPU.
func (p *contest) give(t *thread) {
	if p.given == [2]bool{true, true} {
		return
	}
	for i := range p.of {
		p.given[i] = p.given[i] || p.of[i] == t
		p.before[i] = p.of[i].spent
	}
}

// yields begins the contests of t on v anew: it gives up its place.
func (v *virtual) yields(t *thread) {
	for i := range v.contests.pairs {
		if p := &v.contests.pairs[i]; slices.Contains(p.of[:], t) {
			p.given, p.met = [2]bool{}, [2]time.Duration{p.of[0].spent, p.of[1].spent}
		}
	}
}

func (m *machine) checkPair(v *virtual, p *contest) {
	m.checkMet(v, p, 0, 1)
	m.checkMet(v, p, 1, 0)
	if p.given != [2]bool{true, true} {
		return
	}
	var had, slice float64 // in seconds of a thread of weight 1
	for i, t := range p.of {
		weight := float64(m.weight(t))
		had = (t.spent-p.before[i]).Seconds()/weight - had
		slice += (sched.Slice + m.late()).Seconds() / weight
	}
	if p.of[0].spent+p.of[1].spent > p.before[0]+p.before[1] {
		m.checks.fair.reach++
	}
	if had > slice || -had > slice {
		m.fail("fair-bound", "CPU %d: since both were given it, %s has had %v and %s %v", v.id,
			p.of[0], p.of[0].spent-p.before[0], p.of[1], p.of[1].spent-p.before[1])
	}
}

// checkMet holds the lead of one of a pair over the other, since both are there,
// against what it may claim, a turn of its own and one that the other had before.
func (m *machine) checkMet(v *virtual, p *contest, x, y int) {
	wx, wy := m.weight(p.of[x]), m.weight(p.of[y])
	had, other := p.of[x].spent-p.met[x], p.of[y].spent-p.met[y]
	if had*wy-other*wx > (sched.Slice+m.late()+claimed)*wy+(sched.Slice+m.late())*wx {
		m.fail("fair-bound", "CPU %d: since both are there, %s of weight %d has had %v, %s of weight %d has had %v", v.id,
			p.of[x], wx, had, p.of[y], wy, other)
	}
}

func (m *machine) weight(t *thread) time.Duration {
	return time.Duration(m.s.Table().Context(t.context).Weight())
}

// late is how much longer than it should something may run: interrupts are off.
func (m *machine) late() time.Duration { return kernelTime + m.checks.fair.masked }

// checkShares: fair-bound. A class waits no longer than for its share, and has it.
func (m *machine) checkShares(v *virtual) {
	var there [ranks]bool
	for _, id := range v.list {
		if m.at(id).kind != posted {
			there[m.rankOf(id)] = true
		}
	}
	now := -1
	if id := m.s.Current(v.id); id != 0 {
		now = m.rankOf(id)
	}
	for class := 1; class < ranks; class++ {
		urgent := there[0] || class == 2 && there[1]
		m.checkShare(v, class, there[class], urgent, there[0], now == class)
	}
}

// checkShare follows one class on v.
func (m *machine) checkShare(v *virtual, class int, there, urgent, realTime, runs bool) {
	w := &v.contests.waits[class]
	switch {
	case !there || !urgent && !runs:
		*w = wait{}
		return
	case !w.there:
		*w = wait{there: true, since: m.now, ran: -1}
	}
	if !urgent {
		w.contended, w.had = false, 0 // it runs by right, no more at somebody's expense
	}
	switch {
	case runs && w.ran < 0:
		*w = wait{there: true, since: m.now, ran: m.now, contended: urgent, had: w.had}
	case !runs && w.ran >= 0:
		m.checks.fair.reach++
		had := w.had + m.now - w.ran
		if w.contended && !w.beside && !realTime && had < sharePart {
			m.fail("fair-bound", "CPU %d: class %d ran for %v at the expense of a more urgent one, its share is %v", v.id, class, had, sharePart)
		}
		*w = wait{there: true, since: m.now, ran: -1}
		if realTime {
			w.had = had // the rest comes after that
		}
	}
	w.beside = w.beside || realTime
	most := sharePeriod + m.late()
	if w.beside {
		most += realTimePatience + sharePart
	}
	if !runs && m.now-w.since > most {
		m.fail("fair-bound", "CPU %d: class %d waits since %v", v.id, class, w.since)
	}
}
