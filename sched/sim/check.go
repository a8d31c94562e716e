package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"time"
)

// checker holds what the invariants remember between steps. reach counts how often
// one was really put to the test: a run that never did proves nothing.
type checker struct {
	place     struct{ reach int }
	wakeup    struct{ reach int }
	affinity  struct{ reach, asked int }
	conserved struct{ reach int }
	kick      struct{ reach int }
	time      struct{ reach int }
	alarm     struct{ reach int }
	homes     struct{ reach int }
	oracle    struct{ reach int }
	finalised struct{ reach int }

	where map[process.ContextID]place
	buf   [process.MaxContexts]process.ContextID
}

// place is where a context was found.
type place struct {
	cpu    cpu.ID
	kind   placeKind
	copies int
}

type placeKind uint8

const (
	nowhere placeKind = iota
	running
	queued
	posted
)

// check holds the machine against every invariant, after each step.
func (m *machine) check() {
	m.checkPlaces()
	m.checkHomes()
	m.checkAffinity()
	m.checkConserved()
	for i := range m.cpus {
		v := &m.cpus[i]
		m.noteKicks(v)
		m.checkWakeup(v)
		m.checkAlarm(v)
	}
}

// reach tells how often each invariant was put to the test.
func (c *checker) reach() map[string]int {
	return map[string]int{
		"one-place": c.place.reach, "no-lost-wakeup": c.wakeup.reach, "affinity-held": c.affinity.reach,
		"work-conserved": c.conserved.reach, "one-kick": c.kick.reach, "time-conserved": c.time.reach,
		"alarm-armed": c.alarm.reach, "homes-exact": c.homes.reach, "oracle": c.oracle.reach,
		"finalised-once": c.finalised.reach,
	}
}

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
	x := m.s.Table.Context(t.context)
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
		if home := m.s.Table.Context(t.context).Home(); !t.done && t.id != 0 && home != cpu.None {
			byCPU[home]++
			byCore[m.s.Topology.At[home].Core]++
			m.checks.homes.reach++
		}
	}
	for i := range m.cpus {
		c := cpu.ID(i)
		core := m.s.Topology.At[c].Core
		if got, want := m.s.Homes(image, c), byCPU[c]; got != want {
			m.fail("homes-exact", "CPU %d counts %d homes, has %d", c, got, want)
		}
		if got, want := m.s.CoreHomes(image, core), byCore[core]; got != want {
			m.fail("homes-exact", "core %d counts %d homes, has %d", core, got, want)
		}
	}
}

// kickOnItsWay reports whether c gets a kick: sent, or about to be by an entry that
// has not ended.
func (m *machine) kickOnItsWay(c cpu.ID) bool {
	if len(m.cpus[c].kicks) > 0 {
		return true
	}
	for i := range m.cpus {
		if m.cpus[i].act.Kicks.Has(c) {
			return true
		}
	}
	return false
}

// checkWakeup: no-lost-wakeup. A sleeping CPU has nothing to run, or a kick on its
// way; one that runs a program sees what is posted within a slice.
func (m *machine) checkWakeup(v *virtual) {
	face := m.s.Look(v.id)
	work := face.Mail || v.mode == modeHalted && face.Load+face.Background > 0
	if !work || v.mode != modeHalted && v.mode != modeUser {
		return
	}
	m.checks.wakeup.reach++
	if m.kickOnItsWay(v.id) {
		return
	}
	if v.mode == modeHalted {
		m.fail("no-lost-wakeup", "CPU %d sleeps on work (%+v) and no kick is on its way", v.id, face)
	} else if !m.slicing(v) && !m.mayWait(v) {
		m.fail("no-lost-wakeup", "CPU %d runs on with mail (%+v), no kick and no alarm within a slice", v.id, face)
	}
}

// slicing reports whether v's one-shot fires within a slice.
func (m *machine) slicing(v *virtual) bool {
	return v.alarm >= 0 && v.alarm <= m.now+sched.Slice+alarmLate
}

// mayWait reports whether all that is posted to v is content to wait until what runs
// there stops: it is no more urgent, and does not even share the CPU with it; and
// something that a sleeper could take waits there already, so there is no sleeper.
func (m *machine) mayWait(v *virtual) bool {
	face := m.s.Look(v.id)
	n := m.s.Posted(v.id, m.checks.buf[:])
	if face.Surplus == 0 || n == 0 {
		return false
	}
	current := rank(m.s.Table.Context(face.Current).Class())
	for _, id := range m.checks.buf[:n] {
		posted := rank(m.s.Table.Context(id).Class())
		if posted < current || posted == current && current != 0 {
			return false
		}
	}
	return true
}

// rank orders classes by urgency.
func rank(class process.Class) int {
	return map[process.Class]int{process.RealTime: 0, process.Fair: 1, process.Service: 1, process.Background: 2}[class]
}

const alarmLate = time.Microsecond

// checkAffinity: affinity-held. A context runs on a CPU that its mask allows, apart
// from the time in which the kick that ends that is on its way.
func (m *machine) checkAffinity() {
	for i := range m.cpus {
		v := &m.cpus[i]
		id := m.s.Current(v.id)
		if id == 0 || v.mode != modeUser {
			continue
		}
		allowed, chosen := m.allowed(id)
		if chosen || len(m.sc.Isolated) > 0 {
			m.checks.affinity.reach++
		}
		if !allowed.Has(v.id) && !m.kickOnItsWay(v.id) {
			m.fail("affinity-held", "%s runs on CPU %d, allowed are %v", m.on[id], v.id, &allowed)
		}
	}
}

// allowed returns the CPUs on which a context may run: its mask, without the CPUs
// that are isolated unless somebody chose that mask for a thread or it has no other.
func (m *machine) allowed(id process.ContextID) (allowed cpu.Mask, chosen bool) {
	x := m.s.Table.Context(id)
	chosen = x.Mask(&allowed)
	if chosen && x.Class() != process.Service {
		return allowed, chosen
	}
	shared := allowed
	for _, c := range m.sc.Isolated {
		shared.Clear(c)
	}
	for c := len(m.cpus); c < cpu.Max; c++ {
		shared.Clear(cpu.ID(c))
	}
	if !shared.IsEmpty() {
		allowed = shared
	}
	return allowed, chosen
}

// checkAlarm: alarm-armed. The one-shot of a CPU that runs a program or sleeps fires
// no later than its first alarm is due and, if others of the class wait, within a
// slice.
func (m *machine) checkAlarm(v *virtual) {
	if v.mode != modeUser && v.mode != modeHalted {
		return
	}
	if due, id := m.s.Due(v.id); due >= 0 {
		m.checks.alarm.reach++
		if v.alarm < 0 || v.alarm > max(due, m.now)+alarmLate {
			m.fail("alarm-armed", "CPU %d fires at %v, %s is due at %v", v.id, v.alarm, m.on[id], due)
		}
	}
	if v.mode != modeUser || m.s.Queued(v.id, m.checks.buf[:1]) == 0 {
		return
	}
	class := func(id process.ContextID) process.Class { return m.s.Table.Context(id).Class() }
	first, current := class(m.checks.buf[0]), class(m.s.Current(v.id))
	if rank(first) == rank(current) && current != process.RealTime {
		m.checks.alarm.reach++
		if !m.slicing(v) {
			m.fail("alarm-armed", "CPU %d fires at %v although %s waits behind %s", v.id, v.alarm, m.on[m.checks.buf[0]], m.on[m.s.Current(v.id)])
		}
	}
}

// noteKicks: one-kick. Between two passes a CPU is sent one kick at most, and a wake
// kicks only a sleeper.
func (m *machine) noteKicks(v *virtual) {
	for _, e := range v.act.Events[v.noted:v.act.N] {
		if e.Kind != sched.EventKick {
			continue
		}
		m.checks.kick.reach++
		to := &m.cpus[e.To]
		to.kicksSincePass++
		if to.kicksSincePass > 1 {
			m.fail("one-kick", "CPU %d gets %d kicks before its next pass", e.To, to.kicksSincePass)
		}
		if asleep := to.mode == modeHalted; e.Reason == sched.KickWake && !asleep {
			m.fail("one-kick", "CPU %d is awake and gets a wake-up kick", e.To)
		}
	}
	v.noted = v.act.N
}
