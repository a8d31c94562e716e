package sim

import "hearth/process"

// end ends t, which runs on v: a carrier goes to the reserve, another context is
// freed.
func (m *machine) end(v *virtual, t *thread) {
	t.done = true
	m.touchThread(t)
	m.saves(v) // of what has ended, nothing is kept
	e := t.tally
	e.At, e.Name, e.CPU, e.Waited, e.Ran = m.now, t.name, v.id, t.waited, t.ran
	m.out.Ended = append(m.out.Ended, e)
	if t.id != 0 {
		m.s.Vacate(v.id)
		if joiner := m.s.Table().Exit(t.id, t.code); joiner != 0 {
			m.wakeUp(v, joiner)
		}
	}
	if t.carrier {
		m.s.Block(v.id, m.now, -1)
		m.on[t.context] = nil
		m.s.Table().PushReserve(t.process, t.context)
		return
	}
	m.s.Exit(v.id, m.now)
	m.on[t.context] = nil
	m.s.Table().FreeContext(t.context)
}

// join waits for the end of the thread of that name.
func (m *machine) join(v *virtual, t *thread, name string) {
	target := m.named(name)
	if target == nil {
		return
	}
	m.s.Block(v.id, m.now, -1)
	code, result := m.s.Table().Join(target.id, t.context)
	if result == process.JoinWait {
		t.reap = target
		return
	}
	m.s.Unblock(v.id)
	if result != process.JoinDone {
		m.fail("finalised-once", "join of %s: result %d", target, result)
		return
	}
	t.reap = target
	m.reaped(t, code)
	t.reap = nil
}

// reaped checks the exit code that t got of the thread that it joined.
func (m *machine) reaped(t *thread, code int32) {
	m.checks.finalised.reach++
	if target := t.reap; !target.done || target.code != code {
		m.fail("finalised-once", "%s joined %s with code %d, want %d", t, target, code, target.code)
	}
}
