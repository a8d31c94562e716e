package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// Fair contexts, and background ones among themselves, run in the order of their
// virtual time: the time that each ran, divided by its weight. It grows when a turn
// ends, by the whole turn. Each band of a CPU has a clock, the virtual time of the
// turn that runs; how far a context is ahead of it or behind is what it owes or may
// claim, and all that it takes along to another CPU.

const (
	// Slice is how long a context runs before it lets the next one of its class run.
	Slice = 4 * time.Millisecond
	// claimBound is the service that a context which slept long may claim at once: half
	// a slice lets it run before all that wait, and nobody waits for it longer than for
	// any other.
	claimBound = Slice / 2
	// oweBound is the service that a context may owe when it arrives: what one turn
	// too long for its share leaves.
	oweBound = Slice
	// granularity is how much service the current context must be ahead for a woken one
	// to preempt it. A preemption costs some microseconds of kicks and cold lines: less
	// than 1 % of this.
	granularity = 500 * time.Microsecond

	// unitsANano is the virtual time of a nanosecond at weight 1: at the largest weight
	// it is 1 unit.
	unitsANano = process.MaxWeight
	// longest bounds what is charged at once, so that the product stays far from 2^63.
	longest = 1 << 40
)

// virtual returns the virtual time of a duration at a weight.
func virtual(d time.Duration, weight uint32) int64 {
	return int64(max(min(d, longest), -longest)) * unitsANano / int64(weight)
}

// turn is what a CPU publishes of the turn of its current context, so that a waker
// can tell whether whom it wakes is due. The words are read one by one: one that is
// out of date was replaced after the waker's post, which the owner then finds (publish
// comes before its last look at the inbox).
type turn struct {
	time   int64  // virtual time when it began
	until  int64  // when its slice ends
	weight uint32 // of the context
}

// at returns the virtual time that the turn has come to, less the granularity.
func (t *turn) at(now time.Duration) int64 {
	used := Slice + now - time.Duration(t.until)
	return t.time + virtual(used-granularity, t.weight)
}

// turnOf returns the turn of c's current context, which there must be.
func (s *Scheduler) turnOf(l *local) turn {
	id := l.current
	return turn{s.nodes[id].links[byTurn].key, int64(l.sliceEnd), s.Table.Context(id).Weight()}
}

// order is where a context that is sent somewhere stands in its band.
type order struct {
	key      int64 // virtual time
	claim    int64 // the most that it may claim
	newcomer bool  // key is relative to the clock
}

func (s *Scheduler) orderOf(id process.ContextID) order {
	n := &s.nodes[id]
	return order{n.links[byTurn].key, virtual(claimBound, s.Table.Context(id).Weight()), n.flags&flagCarried != 0}
}

// overtakes reports whether a context, posted to a CPU that runs a fair one and lets
// others wait, may be due when it arrives. It takes the clock for the time of the
// turn, which is no later: so it may say so for one that proves not to be.
func (s *Scheduler) overtakes(to cpu.ID, now time.Duration, o *order) bool {
	h := &s.handles[to]
	if h.heed.Load() != uint32(urgentFair) {
		return false // it makes no difference
	}
	t := turn{h.turn.time.Load(), h.turn.until.Load(), h.turn.weight.Load()}
	lag := o.key
	if !o.newcomer {
		lag -= t.time
	}
	return t.time+max(lag, -o.claim)-t.at(now) < 0
}

// placeNew gives id, which has run nowhere yet, its virtual time: as if it had just
// had a turn. So it comes behind those that wait already, and however many are spawned
// one after the other, the clock goes on and those have their turns.
func (s *Scheduler) placeNew(id process.ContextID) {
	n, x := &s.nodes[id], s.Table.Context(id)
	n.band = bandOf(x.Class())
	n.flags |= flagCarried | flagNew
	n.links[byTurn].key = virtual(Slice, x.Weight())
}

// carry makes the virtual time of id, which leaves c, one that another CPU
// understands: its distance from the clock.
func (s *Scheduler) carry(c cpu.ID, id process.ContextID) {
	n := &s.nodes[id]
	n.flags |= flagCarried
	n.links[byTurn].key -= s.locals[c].clocks[n.band]
}

// arrive queues id, which was woken, spawned or sent to c. False: it may not run here.
func (s *Scheduler) arrive(c cpu.ID, now time.Duration, id process.ContextID) (mayStay bool) {
	n, l, x := &s.nodes[id], &s.locals[c], s.Table.Context(id)
	if b := bandOf(x.Class()); b != n.band {
		s.placeNew(id) // another kind of thread lives on it now
	}
	n.links[byTurn].key = l.clocks[n.band] + s.lag(l, n, x.Weight())
	n.flags &^= flagCarried | flagNew
	n.left = Slice
	mayStay = s.enqueue(c, id)
	if l.current != 0 && s.nodes[l.current].band == n.band && l.queues[n.band].root == id {
		l.arrived = true
	}
	return mayStay
}

// lag returns how far an arriving context is ahead of the clock of its band: what it
// owes or, negative, claims. Both are bounded. A new one owes nobody if nobody is
// there.
func (s *Scheduler) lag(l *local, n *node, weight uint32) int64 {
	if n.flags&flagNew != 0 && !s.wants(l, n.band) {
		return 0
	}
	lag := n.links[byTurn].key
	if n.flags&flagCarried == 0 {
		lag -= l.clocks[n.band]
	}
	return min(max(lag, -virtual(claimBound, weight)), virtual(oweBound, weight))
}

// due reports whether a context that arrived since the last pass is so far behind
// the current one that it preempts it. A partner does not preempt its waker, which is
// about to block.
func (s *Scheduler) due(l *local, now time.Duration) bool {
	b := s.nodes[l.current].band
	root := l.queues[b].root
	if !l.arrived || l.partner != 0 {
		return false
	}
	l.arrived = false
	if root == 0 || b == bandRealTime {
		return false
	}
	t := s.turnOf(l)
	return s.nodes[root].links[byTurn].key-t.at(now) < 0
}

// endTurn charges id, which ran on c, for its turn. Alone it owes no more than a
// slice: nobody waited.
func (s *Scheduler) endTurn(c cpu.ID, now time.Duration, id process.ContextID) {
	l, n := &s.locals[c], &s.nodes[id]
	s.useShare(c, now)
	s.forgive(l, now)
	l.charged = virtual(Slice+now-l.sliceEnd, s.Table.Context(id).Weight())
	n.links[byTurn].key += l.charged
	n.left = Slice
}

// forgive lets a turn during which nobody of its band waited be no longer than a
// slice, until now.
func (s *Scheduler) forgive(l *local, now time.Duration) {
	if l.current != 0 && !l.shared(s.nodes[l.current].band) {
		l.sliceEnd = max(l.sliceEnd, now)
	}
}

// beginTurn begins, or goes on with, the turn of id, which is current: the clock of
// its band comes to the virtual time of that turn.
func (s *Scheduler) beginTurn(l *local, now time.Duration, id process.ContextID) {
	n := &s.nodes[id]
	l.sliceEnd = now + n.left
	if clock := &l.clocks[n.band]; n.links[byTurn].key-*clock > 0 {
		*clock = n.links[byTurn].key
	}
}

// beginAgain gives id, current, whose turn has ended, another one if it is still
// before all that wait in its band.
func (s *Scheduler) beginAgain(l *local, now time.Duration, id process.ContextID) bool {
	n := &s.nodes[id]
	root := l.queues[n.band].root
	if root == 0 || s.nodes[root].links[byTurn].key-n.links[byTurn].key <= 0 {
		return false
	}
	s.beginTurn(l, now, id)
	return true
}

// stepBack makes the virtual time of id, current on c, that of the last one that
// waits, so that it comes behind it; but it gives up no more than a slice at once.
func (s *Scheduler) stepBack(c cpu.ID, id process.ContextID) {
	n, l := &s.nodes[id], &s.locals[c]
	key := &n.links[byTurn].key
	if l.queues[n.band].root == 0 {
		return
	}
	back := min(l.latest[n.band]-*key, l.clocks[n.band]+virtual(Slice, s.Table.Context(id).Weight())-*key)
	*key += max(back, 0)
}
