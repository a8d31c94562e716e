package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// Broken returns the rule that c's own state breaks, "" if it breaks none. Call it
// on c, or on a machine that stands still, between two calls of c. It walks
// everything that c has: it is for simulations, tests and kernels built to check
// themselves.
func (s *Scheduler) Broken(c cpu.ID) string {
	if rule := s.brokenQueues(c); rule != "" {
		return rule
	}
	if rule := s.brokenCurrent(c); rule != "" {
		return rule
	}
	return s.brokenAlarms(c)
}

// BrokenPass returns the rule that c's last Pass broke, which was at now and
// returned that alarm; "" if it broke none.
func (s *Scheduler) BrokenPass(c cpu.ID, now, alarm time.Duration) string {
	h, l := &s.handles[c], &s.locals[c]
	due, id := s.Due(c)
	switch {
	case h.surplus.Load() != uint32(s.movableNow(l)):
		return "sched: surplus: what a pass publishes is what may run elsewhere"
	case id != 0 && (alarm < 0 || alarm > max(due, now)):
		return "sched: alarm-armed: the one-shot fires when the first alarm is due"
	case l.partner != 0 && (alarm < 0 || alarm > max(l.partnerUntil, now)):
		return "sched: alarm-armed: the one-shot fires when a partner has waited long enough"
	case s.slicing(l) && (alarm < 0 || alarm > max(l.sliceEnd, now)):
		return "sched: alarm-armed: the one-shot fires when the slice ends"
	case l.unfinished() && alarm != now:
		return "sched: alarm-armed: the one-shot fires at once when a pass left work"
	case l.current != 0 && l.urgent(s.nodes[l.current].band):
		return "sched: urgent-first: nothing more urgent than the current context waits"
	}
	return ""
}

// BrokenIdle returns the rule that c breaks by sleeping, "" if it breaks none.
func (s *Scheduler) BrokenIdle(c cpu.ID) string {
	l := &s.locals[c]
	switch {
	case l.current != 0 || l.first() != 0 || l.unfinished():
		return "sched: work-conserved: a CPU that sleeps has nothing to run"
	case Idle(s.handles[c].idle.Load()) == Busy:
		return "sched: idle: a CPU that sleeps says so"
	}
	return ""
}

func (s *Scheduler) brokenCurrent(c cpu.ID) string {
	id := s.locals[c].current
	if id == 0 {
		return ""
	}
	x := s.Table.Context(id)
	switch {
	case x.State() != process.Running || x.Home() != c:
		return "sched: one-place: the current context is Running, at home"
	case s.nodes[id].flags&(flagQueued|flagMovable|flagRoams|flagArmed) != 0:
		return "sched: one-place: the current context is in no queue and has no alarm"
	}
	return ""
}

// brokenQueues walks c's run queue and what was posted to it.
func (s *Scheduler) brokenQueues(c cpu.ID) string {
	var n tally
	l := &s.locals[c]
	for b := range band(bands) {
		if rule := s.brokenQueue(c, b, &n); rule != "" {
			return rule
		}
	}
	// Others may post meanwhile, and have counted it in the load before: so the load is
	// read last.
	n.posted = s.Posted(c, nil)
	word := s.handles[c].load.Load()
	switch {
	case n.movable != l.movable || n.roaming != l.roaming:
		return "sched: movable: the counts of what may leave are those of the run queue"
	case int(ordinary(word)+background(word)) < n.queued+n.posted:
		return "sched: load: what is queued and posted counts as load"
	}
	return ""
}

// tally counts what waits on a CPU.
type tally struct {
	queued, posted   int
	movable, roaming int32
}

func (s *Scheduler) brokenQueue(c cpu.ID, b band, n *tally) string {
	q := &s.locals[c].queues[b]
	last := process.ContextID(0)
	for id := q.head; id != 0; id = s.nodes[id].next {
		node, x := &s.nodes[id], s.Table.Context(id)
		switch {
		case node.prev != last || n.queued > process.MaxContexts:
			return "sched: run-queue: both links agree"
		case x.State() != process.Ready || x.Home() != c:
			return "sched: one-place: what is in a run queue is Ready, at home"
		case node.flags&flagQueued == 0 || node.band != b:
			return "sched: run-queue: what is in it is marked so, and in its band"
		}
		n.queued++
		n.movable += int32(bit(node.flags&flagMovable != 0))
		n.roaming += int32(bit(node.flags&flagRoams != 0))
		last = id
	}
	if q.tail != last {
		return "sched: run-queue: the tail is the last one"
	}
	return ""
}

// brokenAlarms walks c's heap, each node after its parent and before its right
// child: no stack, no recursion.
func (s *Scheduler) brokenAlarms(c cpu.ID) string {
	root := s.locals[c].alarms.root
	if root != 0 && s.nodes[root].alarm.parent != 0 {
		return "sched: alarms: the first one has no parent"
	}
	from := process.ContextID(0)
	for id := root; id != 0; {
		n := &s.nodes[id].alarm
		up := n.parent
		next := up
		switch {
		case from == up: // came down
			if rule := s.brokenAlarm(c, id); rule != "" {
				return rule
			}
			next = firstOf(n.left, n.right, up)
		case from == n.left && n.right != 0:
			next = n.right
		}
		id, from = next, id
	}
	return ""
}

// firstOf returns the first of three that is not 0, 0 if all are.
func firstOf(x, y, z process.ContextID) process.ContextID {
	switch {
	case x != 0:
		return x
	case y != 0:
		return y
	}
	return z
}

func (s *Scheduler) brokenAlarm(c cpu.ID, id process.ContextID) string {
	n := &s.nodes[id].alarm
	left, right := &s.nodes[n.left].alarm, &s.nodes[n.right].alarm
	switch {
	case s.nodes[id].flags&flagArmed == 0:
		return "sched: alarms: what is in the heap is marked so"
	case n.left != 0 && (left.parent != id || s.earlier(n.left, id)) || n.right != 0 && (right.parent != id || s.earlier(n.right, id)):
		return "sched: alarms: a parent is earlier than its children, which know it"
	case left.rank < right.rank || n.rank != right.rank+1:
		return "sched: alarms: ranks are exact, the larger to the left"
	case s.Table.Context(id).Home() != c:
		return "sched: alarms: an alarm is set where its context is at home"
	}
	return ""
}
