package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"slices"
	"time"
)

// spawn starts req's context where the policy places it.
func (m *Model) spawn(req *sched.Request) (cpu.ID, bool) {
	x := m.table.Context(req.Context)
	if req.Mask != nil && !m.online.Intersects(req.Mask) {
		return cpu.None, false
	}
	if req.Mask != nil {
		x.SetMask(req.Mask)
	}
	t := m.thread(req.Context)
	t.Process, t.Near, t.Last = req.Process, req.Near, m.at
	if x.Home() != cpu.None {
		m.uncount(t, x.Home())
	}
	m.send(t, x.State(), 0, m.policy.Place(m, t, m.at))
	return t.Last, true
}

// thread makes a fresh thread for a context.
func (m *Model) thread(id process.ContextID) *Thread {
	t := &Thread{id: id, Class: m.table.Context(id).Class(), Queued: m.now, Ran: m.now}
	m.threads[id] = t
	return t
}

// send queues t, which is in state from, where the policy chose. why is a migration's
// reason if that is not where it was, 0 for none.
func (m *Model) send(t *Thread, from process.State, why sched.Reason, chosen cpu.ID) {
	c, q := m.choose(t, chosen, t.Last)
	if why != 0 && c != t.Last {
		m.act.Note(sched.EventMigrate, why, t.id, t.Last, c)
	}
	m.set(t, from, process.InTransit)
	m.put(t, c, q)
}

// wake queues the blocked context where the policy wakes it. One whose registers are
// not saved yet waits for its own CPU, which is about to.
func (m *Model) wake(id process.ContextID) {
	t := m.threads[id]
	m.disarm(t)
	t.Wakes++
	m.act.Note(sched.EventWake, 0, id, m.at, t.Last)
	to := t.Last
	if !t.unsaved || m.hooks.unsaved != nil {
		to = m.policy.Wake(m, t, m.at)
	}
	m.send(t, process.Blocked, sched.MovePush, to)
}

// depart ends the turn of c's current thread, whose registers c saves in its Pass.
func (m *Model) depart(c cpu.ID) *Thread {
	s := &m.cpus[c]
	t := s.current
	m.charge(s)
	s.current, s.resched = nil, false
	t.unsaved = true
	s.leaving = append(s.leaving, t)
	return t
}

// block makes c's current thread wait, until deadline if that is not negative.
func (m *Model) block(c cpu.ID, deadline time.Duration) {
	t := m.depart(c)
	if deadline >= 0 {
		s := &m.cpus[c]
		at := len(s.timers)
		for at > 0 && s.timers[at-1].at > deadline {
			at--
		}
		s.timers = slices.Insert(s.timers, at, timer{deadline, t})
		t.armed = true
	}
	m.set(t, process.Running, process.Blocked)
}

// unblock takes the last block on c back.
func (m *Model) unblock(c cpu.ID) {
	s := &m.cpus[c]
	t := s.leaving[len(s.leaving)-1]
	s.leaving = s.leaving[:len(s.leaving)-1]
	m.disarm(t)
	t.unsaved = false
	m.set(t, process.Blocked, process.Running)
	s.current = t
}

func (m *Model) disarm(t *Thread) {
	if !t.armed {
		return
	}
	t.armed = false
	for i := range m.cpus {
		s := &m.cpus[i]
		s.timers = slices.DeleteFunc(s.timers, func(a timer) bool { return a.t == t })
	}
}

// yield queues c's current thread behind its like.
func (m *Model) yield(c cpu.ID) {
	t := m.depart(c)
	m.set(t, process.Running, process.InTransit)
	m.put(t, c, &m.cpus[c].queue)
}

// exit ends c's current context.
func (m *Model) exit(c cpu.ID) {
	s := &m.cpus[c]
	t := s.current
	s.current, s.resched = nil, false
	m.uncount(t, c)
	m.table.Context(t.id).SetHome(cpu.None)
	m.set(t, process.Running, process.Exited)
	m.threads[t.id] = nil
}
