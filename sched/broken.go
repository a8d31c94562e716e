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
	case l.current != 0 && s.nodes[l.current].band != s.bandToRun(l, now):
		return "sched: urgent-first: the current context's band is the most urgent one, or owed a share"
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
	root := s.locals[c].queues[b].root
	if !s.isRoot(byTurn, root) {
		return "sched: run-queue: the first one has no parent"
	}
	for id := root; id != 0; id = s.next(byTurn, id) {
		if rule := s.brokenNode(byTurn, id); rule != "" {
			return rule
		}
		node, x := &s.nodes[id], s.Table.Context(id)
		switch {
		case x.State() != process.Ready || x.Home() != c:
			return "sched: one-place: what is in a run queue is Ready, at home"
		case node.flags&flagQueued == 0 || node.flags&flagCarried != 0 || node.band != b:
			return "sched: run-queue: what is in it is marked so, and in its band"
		case b == bandRealTime && node.links[byTurn].key != 0:
			return "sched: run-queue: real-time contexts stand in the order of arrival"
		}
		n.queued++
		n.movable += int32(bit(node.flags&flagMovable != 0))
		n.roaming += int32(bit(node.flags&flagRoams != 0))
	}
	return ""
}

// brokenAlarms walks c's alarms.
func (s *Scheduler) brokenAlarms(c cpu.ID) string {
	root := s.locals[c].alarms.root
	if !s.isRoot(byDeadline, root) {
		return "sched: alarms: the first one has no parent"
	}
	for id := root; id != 0; id = s.next(byDeadline, id) {
		if rule := s.brokenNode(byDeadline, id); rule != "" {
			return rule
		}
		switch {
		case s.nodes[id].flags&flagArmed == 0:
			return "sched: alarms: what is in the heap is marked so"
		case s.Table.Context(id).Home() != c:
			return "sched: alarms: an alarm is set where its context is at home"
		}
	}
	return ""
}

func (s *Scheduler) isRoot(k kind, id process.ContextID) bool {
	return id == 0 || s.nodes[id].links[k].parent == 0
}

// brokenNode checks a node of a heap against its children. Since a walk meets every
// node after its parent, it goes down only where the links are right.
func (s *Scheduler) brokenNode(k kind, id process.ContextID) string {
	n := &s.nodes[id].links[k]
	left, right := &s.nodes[n.left].links[k], &s.nodes[n.right].links[k]
	switch {
	case n.left != 0 && (left.parent != id || s.earlier(k, n.left, id)) || n.right != 0 && (right.parent != id || s.earlier(k, n.right, id)):
		return "sched: heap: a parent is earlier than its children, which know it"
	case n.left == n.right && n.left != 0 || left.rank < right.rank || n.rank != right.rank+1:
		return "sched: heap: ranks are exact, the larger to the left"
	}
	return ""
}
