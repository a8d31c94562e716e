package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"iter"
	"time"
)

// What a policy can ask and do. Each look at another CPU than the one that makes the
// call counts as a line touched.

// Topology returns the machine. The caller only reads it.
func (m *Model) Topology() *cpu.Topology { return &m.top }

// Now returns the time since the run began.
func (m *Model) Now() time.Duration { return m.now }

// Random returns a number from 0 to n-1 that the run's seed decides.
func (m *Model) Random(n int) int { return m.random.below(n) }

// Slowness returns how much slower than the fastest CPU c is.
func (m *Model) Slowness(c cpu.ID) int { return int(m.slow[c]) }

// Latency returns how long c takes to leave its idle state, 0 if it is awake.
func (m *Model) Latency(c cpu.ID) time.Duration {
	if m.Idle(c) {
		return m.latency[c]
	}
	return 0
}

// Online reports whether c is online.
func (m *Model) Online(c cpu.ID) bool { return m.online.Has(c) }

// Allowed reports whether t may run on c: c is online, in t's mask, and not isolated
// unless t's mask names it.
func (m *Model) Allowed(t *Thread, c cpu.ID) bool { return m.AllowedMask(t).Has(c) }

// InMask reports whether c is online and in t's mask, isolated or not.
func (m *Model) InMask(t *Thread, c cpu.ID) bool {
	var mask cpu.Mask
	m.table.Context(t.id).Mask(&mask)
	return mask.Has(c) && m.online.Has(c)
}

// AllowedMask returns the CPUs on which t may run. The caller only reads it.
func (m *Model) AllowedMask(t *Thread) *cpu.Mask {
	if t.asOf == m.changes {
		return &t.allowed
	}
	x := m.table.Context(t.id)
	t.chosen = x.Mask(&t.allowed)
	t.allowed.And(&m.online)
	if t.allowed.IsEmpty() {
		t.allowed = m.online // until one of its own comes back
	}
	if !t.chosen || x.Class() == process.Service {
		shared := t.allowed
		shared.AndNot(&m.apart)
		if !shared.IsEmpty() {
			t.allowed = shared
		}
	}
	t.asOf = m.changes
	return &t.allowed
}

// AllowedNear returns c if t may run there, else the first CPU after it, running round
// the machine, on which t may.
func (m *Model) AllowedNear(t *Thread, c cpu.ID) cpu.ID {
	return m.Find(t, nil, c, func(cpu.ID) bool { return true })
}

// Isolated reports whether c is set apart.
func (m *Model) Isolated(c cpu.ID) bool { return m.apart.Has(c) }

// Idle reports whether c, which is online, runs nothing and has nothing queued.
func (m *Model) Idle(c cpu.ID) bool {
	m.touch(c)
	s := &m.cpus[c]
	return m.online.Has(c) && s.current == nil && len(s.queue.threads) == 0
}

// Claim takes c's idle bit: true if it was set. A CPU sets it when it halts and clears
// it when it begins to run a thread, which is later than that it wakes up.
func (m *Model) Claim(c cpu.ID) bool {
	m.touch(c)
	s := &m.cpus[c]
	set := s.idleBit && m.online.Has(c)
	s.idleBit = false
	return set
}

// CoreIdle reports whether all CPUs of c's core that are online are idle.
func (m *Model) CoreIdle(c cpu.ID) bool {
	for i := range m.In(m.top.Siblings(c), c) {
		if m.online.Has(i) && !m.Idle(i) {
			return false
		}
	}
	return true
}

// IdleSince returns when c became idle, meaningful while it is.
func (m *Model) IdleSince(c cpu.ID) time.Duration { return m.cpus[c].idleAt }

// Load returns how many threads run and wait on c.
func (m *Model) Load(c cpu.ID) int {
	m.touch(c)
	s := &m.cpus[c]
	n := len(s.queue.threads)
	if s.current != nil {
		n++
	}
	return n
}

// Running returns the thread that runs on c, nil for none.
func (m *Model) Running(c cpu.ID) *Thread {
	m.touch(c)
	return m.cpus[c].current
}

// Waiting returns the threads that wait on c, in order. The caller only reads it.
func (m *Model) Waiting(c cpu.ID) []*Thread {
	m.touch(c)
	return m.cpus[c].queue.threads
}

// Shared returns the threads that wait in the shared queue of c. The caller only reads
// it.
func (m *Model) Shared(c cpu.ID) []*Thread {
	if q := m.shared[c]; q != nil {
		m.Touch(&q.lock)
		return q.threads
	}
	return nil
}

// StealShared returns the first thread in the shared queue of CPU from that c may
// take, nil for none.
func (m *Model) StealShared(from, c cpu.ID) *Thread {
	for _, t := range m.Shared(from) {
		if m.mayTake(t, c) {
			return t
		}
	}
	return nil
}

// Unplugged reports whether a CPU has ever gone offline.
func (m *Model) Unplugged() bool { return m.unplugged }

// Homes returns how many threads of t's process live on c.
func (m *Model) Homes(t *Thread, c cpu.ID) int {
	if h := m.homes[t.Process]; h != nil {
		return h.byCPU[c]
	}
	return 0
}

// CoreHomes returns how many threads of t's process live on c's core.
func (m *Model) CoreHomes(t *Thread, c cpu.ID) int {
	if h := m.homes[t.Process]; h != nil {
		return h.byCore[m.top.At[c].Core]
	}
	return 0
}

// Near reports whether a and b lie in one LLC domain.
func (m *Model) Near(a, b cpu.ID) bool { return m.top.At[a].LLC == m.top.At[b].LLC }

// In visits the CPUs of a set, nil for all, from one of them on, running round.
func (m *Model) In(set *cpu.Mask, from cpu.ID) iter.Seq[cpu.ID] {
	return func(yield func(cpu.ID) bool) {
		for i := range m.top.Count {
			c := (from + cpu.ID(i)) % cpu.ID(m.top.Count)
			if (set == nil || set.Has(c)) && !yield(c) {
				return
			}
		}
	}
}

// Find returns the first CPU of a set, nil for all, running round from one of them,
// on which t may run and that suits; cpu.None for none.
func (m *Model) Find(t *Thread, set *cpu.Mask, from cpu.ID, suits func(cpu.ID) bool) cpu.ID {
	allowed := m.AllowedMask(t)
	for c := range m.In(set, from) {
		if allowed.Has(c) && suits(c) {
			return c
		}
	}
	return cpu.None
}

// Least returns the CPU of a set, nil for all, with the smallest load of those on
// which t may run, the first of equals from one of them on; cpu.None for none.
func (m *Model) Least(t *Thread, set *cpu.Mask, from cpu.ID) cpu.ID {
	best, least := cpu.None, 0
	for c := range m.In(set, from) {
		if !m.Allowed(t, c) {
			continue
		}
		if load := m.Load(c); best == cpu.None || load < least {
			best, least = c, load
		}
	}
	return best
}

// Steal returns the first thread that waits on CPU from and that c may take, nil for
// none.
func (m *Model) Steal(from, c cpu.ID) *Thread {
	for _, t := range m.Waiting(from) {
		if m.mayTake(t, c) {
			return t
		}
	}
	return nil
}

// StealBusiest returns a thread for c from the CPU of a set, nil for all, on which most
// wait that c may take, if at least so many wait there; nil for none.
func (m *Model) StealBusiest(set *cpu.Mask, c cpu.ID, least int) (found *Thread) {
	most := least - 1
	for i := range m.In(set, c) {
		if n := len(m.Waiting(i)); i != c && n > most {
			if t := m.Steal(i, c); t != nil {
				found, most = t, n
			}
		}
	}
	return found
}

// mayTake: c is allowed, and the thread's registers are saved, or nobody minds.
func (m *Model) mayTake(t *Thread, c cpu.ID) bool {
	return m.Allowed(t, c) && (!t.unsaved || t.Last == c || m.hooks.unsaved != nil)
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
