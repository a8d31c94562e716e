package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"time"
)

// thread executes a program on whatever context carries it.
type thread struct {
	name    string
	program []Op
	at      int // next op
	context process.ContextID
	id      process.ThreadID // 0 for a Service context
	class   process.Class
	process process.ID

	left    time.Duration // of the Run that it is in
	began   bool          // left is set for the op at
	waiting bool          // blocked where Wake finds it
	permits int           // wakes that came before the Block
	granted bool          // an item of a pool is its own
	parked  bool          // it waits for one
	reap    *thread       // whose end it waits for
	carrier bool          // at its end the context goes to the reserve
	done    bool
	spent   time.Duration // computed so far
	asked   time.Duration // Runs begun so far
	code    int32

	kind       placeKind // where the checker found it
	slot       int       // among those that wait, if it does
	touched    bool
	home       cpu.ID        // for homes-exact: where it was counted, cpu.None if nowhere
	readySince time.Duration // negative if it is not runnable, or runs
	cause      Cause         // why it waits
	ran        cpu.Mask      // where it ran
	waited     time.Duration // the longest time that it was runnable and did not run
	idlySince  time.Duration // for work-conserved: negative if it does not wait idly
	deadline   time.Duration // of its wait, negative if it has none
	tally      Ended         // what is counted until its end
}

// String describes the thread for a violation.
func (t *thread) String() string {
	return fmt.Sprintf("thread %s (context %d, op %d of %d, waiting %v)", t.name, t.context, t.at, len(t.program), t.waiting)
}

// ahead returns how long the thread computes before its next step.
func (t *thread) ahead(by chooser) time.Duration {
	if !t.began && t.at < len(t.program) && t.program[t.at].computes() {
		t.left = t.program[t.at].span
		if t.program[t.at].any {
			t.left = by.between(0, t.left)
		}
		t.asked += t.left
		t.began = true
	}
	return t.left
}

// masked reports whether what it computes runs with interrupts off.
func (t *thread) masked() bool {
	return t.began && t.at < len(t.program) && t.program[t.at].verb == opCritical
}

// user takes the current thread of v to its next kernel entry, or to its next Run.
func (m *machine) user(v *virtual) {
	m.stop(v)
	t := m.who(m.s.Current(v.id))
	if t.reap != nil {
		m.reaped(t, m.s.Table().Reap(t.reap.id))
		t.reap = nil
	}
	if t.at == len(t.program) {
		m.end(v, t)
		m.toPass(v)
		return
	}
	op := &t.program[t.at]
	t.at++
	t.began = false
	if op.computes() {
		m.resume(v, t.context, 0)
		return
	}
	m.execute(v, t, op)
	m.checkSteps(v, "the call of an op")
	m.toPass(v)
}

// execute does one op, which is a kernel entry of v by t.
func (m *machine) execute(v *virtual, t *thread, op *Op) {
	m.doing = op
	switch op.verb {
	case opBlock:
		deadline := time.Duration(-1)
		switch {
		case op.any:
			deadline = m.now + m.chooser.between(0, op.span)
		case op.span >= 0:
			deadline = m.now + op.span
		}
		m.block(v, t, deadline)
	case opBlockUntil:
		m.block(v, t, op.span)
	case opWake:
		m.wake(v, op.who)
	case opYield:
		m.s.Yield(v.id, m.now)
		v.yields(t)
	case opSpawn:
		m.spawn(v, op)
	case opSetMask:
		m.setMask(v, t, op)
	case opJoin:
		m.join(v, t, op.who)
	case opTogether:
		for i := range op.program {
			m.execute(v, t, &op.program[i])
			m.checkSteps(v, "one op of several")
			m.carryOut(v) // as the kernel does before the events find no room
		}
	case opPost:
		for range op.code {
			m.post(v, m.pool(op.who))
			m.carryOut(v)
		}
	case opTake:
		m.takeItem(v, t, m.pool(op.who))
	case opClose:
		m.close(v, m.pool(op.who))
	case opOffline:
		m.takeOffline(v, op.mask)
	case opOnline:
		m.bringOnline(v, op.mask)
	case opExit:
		t.code = op.code
		m.end(v, t)
	}
}

// block follows the kernel's order: blocked first, then where a waker can find it.
func (m *machine) block(v *virtual, t *thread, deadline time.Duration) {
	t.deadline = deadline
	m.s.Block(v.id, m.now, deadline)
	if t.permits > 0 {
		t.permits--
		m.s.Unblock(v.id)
		return
	}
	t.waiting = true
}

// expired tallies how far from its time a timed wait ended.
func (t *thread) expired(now time.Duration) {
	t.tally.Late = max(t.tally.Late, now-t.deadline)
	t.tally.Early = max(t.tally.Early, t.deadline-now)
}

func (m *machine) wake(v *virtual, name string) {
	if t := m.named(name); t != nil && !t.done {
		m.wakeThread(v, t)
	}
}

// wakeThread wakes t, which has not ended, or lets its next wait pass.
func (m *machine) wakeThread(v *virtual, t *thread) {
	if !t.waiting {
		t.permits++
		return
	}
	t.waiting = false
	m.wakeUp(v, t.context)
}

// wakeUp has the scheduler wake a blocked context.
func (m *machine) wakeUp(v *virtual, id process.ContextID) {
	since := v.act.N
	m.s.Wake(v.id, m.now, id, &v.act)
	m.checkKicks(v, since)
}

func (m *machine) setMask(v *virtual, t *thread, op *Op) {
	mask, err := m.mask(op.mask)
	if err != nil {
		m.err = err
		return
	}
	if op.who != "" {
		t = m.named(op.who)
	}
	if t == nil || t.done {
		return
	}
	m.checks.affinity.asked++
	m.touchThread(t)
	if home := m.s.Table().Context(t.context).Home(); home != cpu.None {
		m.touch(home)
	}
	if !m.s.SetMask(v.id, m.now, t.context, mask, &v.act) && !m.everOffline {
		m.cannot("set-mask: no CPU of %s is online", op.mask)
	}
}

func (m *machine) named(name string) *thread {
	t := m.names[name]
	if t == nil {
		m.cannot("there is no thread %q yet: nothing has spawned it at this point of the run", name)
	}
	return t
}

// cannot ends the run: the op that is being done cannot be. The error says where it
// stands.
func (m *machine) cannot(format string, args ...any) {
	where := "scenario " + m.sc.Name
	if m.doing != nil && m.doing.line != 0 {
		where = fmt.Sprintf("%s:%d", m.sc.file, m.doing.line)
	}
	m.complain(fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...)))
}
