package sim

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// locate finds the contexts on the CPUs that were touched: one-place. A context that
// is Running is current on its home and nowhere else, Ready in its home's run queue,
// InTransit in its home's inbox, and otherwise nowhere; and the load words say the
// same.
func (m *machine) locate() {
	for _, c := range m.checks.cpus {
		m.forget(&m.cpus[c])
	}
	for _, c := range m.checks.cpus {
		m.find(&m.cpus[c])
	}
	for _, t := range m.checks.threads {
		m.clock(t)
		if !t.done {
			m.checkPlace(t)
		}
	}
}

// forget takes what was found on v the last time.
func (m *machine) forget(v *virtual) {
	for _, id := range v.list {
		p := &m.checks.where[id]
		if p.copies--; p.copies == 0 {
			p.kind = nowhere
		}
		m.touchThread(m.who(id))
	}
	v.list = v.list[:0]
}

// find looks at what is on v now.
func (m *machine) find(v *virtual) {
	face := m.s.Look(v.id)
	if face.Current != 0 {
		m.found(face.Current, v, running)
	}
	waiting := m.s.Queued(v.id, m.checks.buf[:])
	m.foundAll(waiting, v, queued)
	arriving := m.s.Posted(v.id, m.checks.buf[:])
	m.foundAll(arriving, v, posted)
	if load := int(face.Load + face.Background); load != waiting+arriving {
		m.fail("one-place", "CPU %d publishes load %d, has %d queued and %d posted", v.id, load, waiting, arriving)
	}
}

func (m *machine) found(id process.ContextID, v *virtual, kind placeKind) {
	for int(id) >= len(m.checks.where) {
		m.checks.where = append(m.checks.where, place{})
	}
	p := &m.checks.where[id]
	*p = place{v.id, kind, p.copies + 1}
	v.list = append(v.list, id)
	t := m.who(id)
	if t == nil {
		m.fail("one-place", "context %d of no thread is on CPU %d", id, v.id)
	}
	m.touchThread(t)
}

func (m *machine) foundAll(n int, v *virtual, kind placeKind) {
	for _, id := range m.checks.buf[:min(n, len(m.checks.buf))] {
		m.found(id, v, kind)
	}
}

// placeOf is where a context of a state is.
func placeOf(s process.State) placeKind {
	switch s {
	case process.Running:
		return running
	case process.Ready:
		return queued
	case process.InTransit:
		return posted
	}
	return nowhere
}

// at returns where a context was found.
func (m *machine) at(id process.ContextID) place {
	if int(id) >= len(m.checks.where) {
		return place{}
	}
	return m.checks.where[id]
}

func (m *machine) checkPlace(t *thread) {
	x := m.s.Table().Context(t.context)
	p, want := m.at(t.context), placeOf(x.State())
	if want != nowhere {
		m.checks.place.reach++
	}
	switch {
	case p.copies > 1:
		m.fail("one-place", "%s is in %d places, one on CPU %d", t, p.copies, p.cpu)
	case p.kind != want:
		m.fail("one-place", "%s is %v, but found in place %d", t, x.State(), p.kind)
	case want != nowhere && p.cpu != x.Home():
		m.fail("one-place", "%s is on CPU %d, its home is %d", t, p.cpu, x.Home())
	}
}

// clock measures how long t waits to run.
func (m *machine) clock(t *thread) {
	kind := m.at(t.context).kind
	if t.done {
		kind = nowhere
	}
	old := t.kind
	t.kind = kind
	switch waits := kind == queued || kind == posted; {
	case waits && t.readySince < 0:
		t.readySince = m.now
		t.cause = causeOf(old, t.ran.IsEmpty())
		t.slot = len(m.checks.waiting)
		m.checks.waiting = append(m.checks.waiting, t)
	case !waits && t.readySince >= 0:
		m.ranOrLeft(t)
	}
}

func causeOf(old placeKind, fresh bool) Cause {
	switch {
	case old == running:
		return Preempted
	case fresh:
		return Spawning
	}
	return Waking
}

// ranOrLeft ends a wait of t.
func (m *machine) ranOrLeft(t *thread) {
	waited := m.now - t.readySince
	t.waited = max(t.waited, waited)
	m.out.Waits = append(m.out.Waits, Wait{t.name, t.readySince, waited, t.cause})
	t.readySince, t.idlySince = -1, time.Duration(-1)
	list := m.checks.waiting
	last := list[len(list)-1]
	list[t.slot], last.slot = last, t.slot
	m.checks.waiting = list[:len(list)-1]
}

// homes is what a walk over all threads would count.
type homes struct {
	reach int
	of    [][]walked // by process, then CPU and core
}

// walked is how many threads a walk finds whose home is the CPU of that id, or on the core of that
// number.
type walked struct{ onCPU, onCore int }

// process returns the counts of p.
func (h *homes) process(p process.ID, cpus int) []walked {
	for len(h.of) <= int(p) {
		h.of = append(h.of, nil)
	}
	if h.of[p] == nil {
		h.of[p] = make([]walked, cpus)
	}
	return h.of[p]
}

// checkHomes: homes-exact. The counts are those of a walk over all threads.
func (m *machine) checkHomes() {
	h := &m.checks.homes
	for _, t := range m.checks.threads {
		home := m.s.Table().Context(t.context).Home()
		if t.done || t.id == 0 {
			home = cpu.None
		}
		if home != cpu.None {
			h.reach++
		}
		m.countHome(t, -1)
		t.home = home
		m.countHome(t, 1)
	}
	for p, of := range h.of {
		m.compareHomes(process.ID(p), of)
	}
}

// compareHomes holds the counts of p on the CPUs that were touched against of.
func (m *machine) compareHomes(p process.ID, of []walked) {
	if of == nil {
		return
	}
	for _, c := range m.checks.cpus {
		core := m.out.top.At[c].Core
		if got, want := m.s.Homes(p, c), of[c].onCPU; got != want {
			m.fail("homes-exact", "CPU %d counts %d homes, has %d", c, got, want)
		}
		if got, want := m.s.CoreHomes(p, core), of[core].onCore; got != want {
			m.fail("homes-exact", "core %d counts %d homes, has %d", core, got, want)
		}
	}
}

// countHome counts the home of t n times more.
func (m *machine) countHome(t *thread, n int) {
	if t.home == cpu.None {
		return
	}
	of := m.checks.homes.process(t.process, len(m.cpus))
	of[t.home].onCPU += n
	of[m.out.top.At[t.home].Core].onCore += n
	m.touch(t.home)
}
