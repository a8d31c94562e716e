package sim

import (
	"hearth/cpu"
	"hearth/sched"
)

// What a policy can do besides answering.

// Claim takes c's idle bit: true if it was set. A CPU sets it when it halts and clears
// it when it begins to run a thread, which is later than that it wakes up.
func (m *Model) Claim(c cpu.ID) bool {
	m.touch(c)
	s := &m.cpus[c]
	set := s.idleBit && m.online.Has(c)
	s.idleBit = false
	return set
}

// Rotation returns where a policy that goes round begins next on the CPU that makes
// the call.
func (m *Model) Rotation() cpu.ID { return m.cpus[m.at].start }

// Rotate makes the CPU after c the next beginning.
func (m *Model) Rotate(c cpu.ID) { m.cpus[m.at].start = (c + 1) % cpu.ID(m.top.Count) }

// Move sends t, which waits, to the queue of c.
func (m *Model) Move(t *Thread, c cpu.ID) {
	c, q := m.choose(t, c, t.Last)
	m.migrate(t, c, q, sched.MovePush)
}

// Kick makes c look for work if it sleeps, and look again at what it runs if not.
func (m *Model) Kick(c cpu.ID) {
	if s := &m.cpus[c]; c != m.at && (s.state == sched.Halted || s.current != nil) {
		m.kick(s, sched.KickPull)
	}
}

// Share gives the CPUs of a set one more queue, which they all take from when their
// own is empty.
func (m *Model) Share(set *cpu.Mask) {
	q := &runQueue{shared: true}
	for c := range m.In(set, 0) {
		m.shared[c] = q
	}
}

// touch counts a line of CPU c that the CPU which makes the call reads or writes.
func (m *Model) touch(c cpu.ID) {
	m.goesOn()
	switch s := &m.cpus[m.at]; {
	case c == m.at:
	case m.Near(c, m.at):
		s.near++
	default:
		s.far++
	}
}

// Line is a word that several CPUs write, such as a lock or a mask of idle CPUs.
type Line struct {
	by   cpu.ID
	used bool
}

// Touch counts that the CPU which makes the call writes l: it comes from whoever wrote
// it last.
func (m *Model) Touch(l *Line) {
	if l.used {
		m.touch(l.by)
	}
	l.by, l.used = m.at, true
}
