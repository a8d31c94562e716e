package sim

import (
	"hearth/cpu"
	"hearth/process"
)

// checkPlaces: one-place. A context that is Running is current on its home and
// nowhere else, Ready in its home's run queue, InTransit in its home's inbox, and
// otherwise nowhere; and the load words say the same.
func (m *machine) checkPlaces() {
	m.checks.where = map[process.ContextID]place{}
	for i := range m.cpus {
		c := cpu.ID(i)
		face := m.s.Look(c)
		if face.Current != 0 {
			m.found(face.Current, c, running)
		}
		waiting := m.s.Queued(c, m.checks.buf[:])
		m.foundAll(waiting, c, queued)
		arriving := m.s.Posted(c, m.checks.buf[:])
		m.foundAll(arriving, c, posted)
		if load := int(face.Load + face.Background); load != waiting+arriving {
			m.fail("one-place", "CPU %d publishes load %d, has %d queued and %d posted", c, load, waiting, arriving)
		}
	}
	for _, t := range m.threads {
		if !t.done {
			m.checkPlace(t)
		}
	}
	for id, p := range m.checks.where {
		if m.on[id] == nil {
			m.fail("one-place", "context %d of no thread is on CPU %d", id, p.cpu)
		}
	}
}

func (m *machine) found(id process.ContextID, c cpu.ID, kind placeKind) {
	m.checks.where[id] = place{c, kind, m.checks.where[id].copies + 1}
}

func (m *machine) foundAll(n int, c cpu.ID, kind placeKind) {
	for _, id := range m.checks.buf[:min(n, len(m.checks.buf))] {
		m.found(id, c, kind)
	}
}

var placeOf = map[process.State]placeKind{
	process.Running: running, process.Ready: queued, process.InTransit: posted,
}

func (m *machine) checkPlace(t *thread) {
	x := m.s.Table().Context(t.context)
	p, want := m.checks.where[t.context], placeOf[x.State()]
	if want != nowhere {
		m.checks.place.reach++
	}
	m.clock(t, p.kind)
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
func (m *machine) clock(t *thread, kind placeKind) {
	switch {
	case kind != queued && kind != posted:
		t.readySince = -1
		return
	case t.readySince < 0:
		t.readySince = m.now
	}
	t.waited = max(t.waited, m.now-t.readySince)
}

// checkHomes: homes-exact. The counts are those of a walk over all threads.
func (m *machine) checkHomes() {
	byCPU, byCore := map[cpu.ID]int{}, map[int32]int{}
	for _, t := range m.threads {
		if home := m.s.Table().Context(t.context).Home(); !t.done && t.id != 0 && home != cpu.None {
			byCPU[home]++
			byCore[m.s.Topology().At[home].Core]++
			m.checks.homes.reach++
		}
	}
	for i := range m.cpus {
		c := cpu.ID(i)
		core := m.s.Topology().At[c].Core
		if got, want := m.s.Homes(image, c), byCPU[c]; got != want {
			m.fail("homes-exact", "CPU %d counts %d homes, has %d", c, got, want)
		}
		if got, want := m.s.CoreHomes(image, core), byCore[core]; got != want {
			m.fail("homes-exact", "core %d counts %d homes, has %d", core, got, want)
		}
	}
}
