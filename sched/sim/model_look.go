package sim

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// What a policy can ask. Each look at another CPU than the one that makes the
// call counts as a line touched.

// Topology returns the machine. The caller only reads it.
func (m *Model) Topology() *cpu.Topology { return &m.top }

// Now returns the time since the run began.
func (m *Model) Now() time.Duration { return m.now }

// Random returns a number from 0 to n-1 that the run's seed decides.
func (m *Model) Random(n int) int {
	m.goesOn()
	return m.random.below(n)
}

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

// Isolated reports whether c is set apart.
func (m *Model) Isolated(c cpu.ID) bool { return m.apart.Has(c) }

// Idle reports whether c, which is online, runs nothing and has nothing queued.
func (m *Model) Idle(c cpu.ID) bool {
	m.touch(c)
	s := &m.cpus[c]
	return m.online.Has(c) && s.current == nil && len(s.queue.threads) == 0
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
