package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"slices"
)

// runQueue holds threads that wait, in the order in which they run.
type runQueue struct {
	shared  bool
	lock    Line // of a shared one
	threads []*Thread
}

// insert puts t behind all that run before it.
func (m *Model) insert(q *runQueue, t *Thread) {
	at := len(q.threads)
	for at > 0 && m.before(t, q.threads[at-1]) {
		at--
	}
	if q.shared {
		m.Touch(&q.lock)
	}
	q.threads = slices.Insert(q.threads, at, t)
	t.in, t.first = q, false
}

func (m *Model) before(a, b *Thread) bool {
	ra, rb := rank(a.Class), rank(b.Class)
	switch {
	case ra != rb:
		return ra < rb
	case a.first:
		return true
	}
	return m.hooks.order != nil && m.hooks.order.Before(a, b)
}

func (m *Model) remove(t *Thread) {
	q := t.in
	at := slices.Index(q.threads, t)
	q.threads = slices.Delete(q.threads, at, at+1)
	t.in = nil
}

// choose returns where a policy wants t: its CPU and queue. One in a shared queue is
// counted where it was, if it may run there.
func (m *Model) choose(t *Thread, c, origin cpu.ID) (cpu.ID, *runQueue) {
	if c == cpu.None {
		c = m.AllowedNear(t, origin)
		if q := m.shared[origin]; q != nil && m.shared[c] == q {
			return c, q
		}
	}
	if c < 0 || int(c) >= len(m.cpus) {
		panic(fmt.Sprintf("it chose CPU %d for a thread; there are 0 to %d", c, len(m.cpus)-1))
	}
	return c, &m.cpus[c].queue
}

// put queues t, which is InTransit, for c and rings there.
func (m *Model) put(t *Thread, c cpu.ID, q *runQueue) {
	if t.Last != c {
		m.touch(c)
	}
	m.setHome(t, c)
	m.set(t, process.InTransit, process.Ready)
	t.Queued = m.now
	m.insert(q, t)
	m.ring(c, t)
}

// ring lets c know that t waits there: it kicks a sleeper, and a CPU whose thread
// has to give way.
func (m *Model) ring(c cpu.ID, t *Thread) {
	s := &m.cpus[c]
	if s.current != nil && m.preempts(t, s.current) {
		s.resched = true
	}
	switch {
	case c == m.at:
	case s.state == sched.Halted:
		m.kick(s, sched.KickWake)
	case s.state == sched.Busy && s.resched:
		m.kick(s, sched.KickPreempt)
	}
}

func (m *Model) preempts(t, running *Thread) bool {
	a, b := rank(t.Class), rank(running.Class)
	if a != b {
		return a < b
	}
	m.charge(&m.cpus[running.Last])
	return m.hooks.preempt != nil && m.hooks.preempt.Preempts(m, t, running)
}

// kick sends s a kick unless one is on its way.
func (m *Model) kick(s *seat, why sched.Reason) {
	if s.state == sched.Kicked {
		return
	}
	s.state = sched.Kicked
	m.touch(s.id)
	m.act.Kick(m.at, s.id, why)
}

// migrate moves t, which waits, to the queue of c.
func (m *Model) migrate(t *Thread, c cpu.ID, q *runQueue, why sched.Reason) {
	from := t.Last
	m.touch(from)
	m.remove(t)
	m.set(t, process.Ready, process.InTransit)
	if c != from {
		m.act.Note(sched.EventMigrate, why, t.id, from, c)
	}
	m.put(t, c, q)
}

// set changes t's state in the table.
func (m *Model) set(t *Thread, from, to process.State) {
	if !m.table.SetState(t.id, from, to) {
		panic("sim: " + t.String() + " is not " + from.String())
	}
}
