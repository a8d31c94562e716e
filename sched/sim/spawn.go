package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
)

// newThread makes a thread and its context, not yet anywhere. A spawn takes the
// context from the reserve if it can.
func (m *machine) newThread(name string, program []Op, class process.Class, of process.ID, weight int32) *thread {
	t := &thread{name: name, program: program, class: class, process: of, readySince: -1, idlySince: -1, home: cpu.None, deadline: -1}
	if class == process.Service {
		t.context = m.s.Table().NewContext(of, class)
	} else {
		var label [16]byte
		copy(label[:], name)
		t.id = m.s.Table().NewThread(of, class, &label, false)
		if t.context = m.s.Table().PopReserve(of); t.context == 0 {
			t.context = m.s.Table().NewContext(of, process.Service)
		}
	}
	if t.context == 0 || class != process.Service && t.id == 0 {
		m.cannot("the tables are full at thread %q: they hold %d threads and contexts", name, process.MaxContexts)
		return t
	}
	if t.id != 0 {
		m.s.Table().SetWeight(t.id, uint32(weight))
		m.s.Table().Occupy(t.id, t.context)
	}
	m.threads = append(m.threads, t)
	m.names[name] = t
	for int(t.context) >= len(m.on) {
		m.on = append(m.on, nil)
	}
	m.on[t.context] = t
	m.touchThread(t)
	return t
}

func (m *machine) spawn(v *virtual, op *Op) {
	of := op.process
	if of == 0 {
		of = m.on[m.s.Current(v.id)].process
	}
	t := m.newThread(op.who, op.program, op.class, of, op.weight)
	if m.err != nil {
		return
	}
	t.carrier = op.class != process.Service
	req := sched.Request{Context: t.context, Process: of, Near: op.near}
	if op.mask != "" {
		mask, err := m.mask(op.mask)
		if err != nil {
			m.err = err
			return
		}
		req.Mask = mask
	}
	m.gang.next(op.gang, &req)
	before, since, read := m.see(of), v.act.N, m.readsOf(v.id)
	p, ok := m.s.Spawn(v.id, m.now, &req, &m.view, &v.act)
	if !ok && req.Mask != nil && m.everOffline { // refused: it is spawned with its process's mask
		req.Mask = nil
		p, ok = m.s.Spawn(v.id, m.now, &req, &m.view, &v.act)
	}
	if !ok {
		m.cannot("spawn: no CPU of %q is online", op.mask)
		return
	}
	m.touch(p.CPU)
	m.checkKicks(v, since)
	m.gang.placed(op.gang, p.CPU)
	m.checkOracle(&p)
	m.checkReads(before)
	m.checkCore(t, p.CPU, nil)
	m.noteGap(&p, before)
	m.out.spawn(m, v, t, &p, m.readsOf(v.id)-read)
}
