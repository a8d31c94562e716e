package sim

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"slices"
	"time"
)

// modelled is a Model as an engine. Its methods do what those of sched.Scheduler do;
// where they have more to say, that is said here.
type modelled struct{ m *Model }

func newModelled(name string, p Policy) engine { return modelled{newModel(name, p)} }

func (e modelled) Init(top *cpu.Topology)                                 { e.m.init(top) }
func (e modelled) Table() *process.Table                                  { return &e.m.table }
func (e modelled) Topology() *cpu.Topology                                { return &e.m.top }
func (e modelled) SetSlowness(c cpu.ID, slowness uint16)                  { e.m.slow[c] = slowness }
func (e modelled) SetExitLatency(c cpu.ID, d time.Duration)               { e.m.latency[c] = d }
func (e modelled) SetIsolated(c cpu.ID)                                   { e.m.apart.Set(c); e.m.changes++ }
func (e modelled) SetPollBudget(time.Duration)                            {} // a model halts at once
func (e modelled) Idling(cpu.ID) (time.Duration, int)                     { return 0, 0 }
func (e modelled) Polled(cpu.ID) bool                                     { return false }
func (e modelled) StopPolling(cpu.ID, time.Duration) bool                 { return true }
func (e modelled) IsOnline(c cpu.ID) bool                                 { return e.m.online.Has(c) }
func (e modelled) Vacate(c cpu.ID)                                        { e.m.uncount(e.m.cpus[c].current, c) }
func (e modelled) Explain(*sched.View, *sched.Ranking) bool               { return false }
func (e modelled) Steps(cpu.ID) uint64                                    { return 0 }
func (e modelled) Broken(cpu.ID) string                                   { return "" }
func (e modelled) BrokenPass(cpu.ID, time.Duration, time.Duration) string { return "" }
func (e modelled) BrokenIdle(cpu.ID) string                               { return "" }
func (e modelled) Posted(cpu.ID, []process.ContextID) int                 { return 0 } // who queues takes the lock

func (e modelled) savesAtSwitch() {}

// seed makes the policy's chances those of a run.
func (e modelled) seed(seed uint64) { e.m.random = random{seed} }

func (e modelled) watchedBy(w *watch) { e.m.watch = w }

// Lines counts what c read and wrote of other LLC domains. A look is what a policy says
// that it is, so none is refused.
func (e modelled) Lines(c cpu.ID) (lines, refused uint64) { return e.m.cpus[c].far, 0 }

func (e modelled) Online(c cpu.ID, now time.Duration) {
	e.m.online.Set(c)
	e.m.changes++
	e.m.cpus[c].state = sched.Busy
}

func (e modelled) SetOffline(c cpu.ID, now time.Duration, which cpu.ID, a *sched.Actions) bool {
	e.m.enter(c, now, a)
	return e.m.offline(which)
}

func (e modelled) SetOnline(c cpu.ID, now time.Duration, which cpu.ID, a *sched.Actions) bool {
	e.m.enter(c, now, a)
	return e.m.comeBack(which)
}

// LeaveIdle leaves a kick to be answered by the Pass.
func (e modelled) LeaveIdle(c cpu.ID, now time.Duration) {
	if s := &e.m.cpus[c]; s.state == sched.Halted {
		s.state = sched.Busy
	}
}

func (e modelled) Start(c cpu.ID, id process.ContextID, now time.Duration) {
	e.m.enter(c, now, nil)
	t := e.m.thread(id)
	t.Process, t.Last = e.m.table.Context(id).Process(), c
	e.m.setHome(t, c)
	e.m.set(t, process.New, process.Running)
	s := &e.m.cpus[c]
	s.current, s.tick, s.sliceEnd = t, now+TickPeriod, now+e.m.sliceOf(t)
}

func (e modelled) Pass(c cpu.ID, now time.Duration, a *sched.Actions) (process.ContextID, time.Duration) {
	e.m.enter(c, now, a)
	t, alarm := e.m.pass(c)
	if t == nil {
		return 0, alarm
	}
	return t.id, alarm
}

func (e modelled) EnterIdle(c cpu.ID, now time.Duration, a *sched.Actions) bool {
	e.m.enter(c, now, a)
	return e.m.enterIdle(c)
}

func (e modelled) Expired(c cpu.ID, now time.Duration) (process.ContextID, bool) {
	e.m.enter(c, now, nil)
	s := &e.m.cpus[c]
	if len(s.timers) == 0 || s.timers[0].at > now || e.m.holds(c) {
		return 0, false
	}
	t := s.timers[0].t
	s.timers = s.timers[1:]
	t.armed = false
	return t.id, true
}

func (e modelled) Spawn(c cpu.ID, now time.Duration, req *sched.Request, v *sched.View, a *sched.Actions) (sched.Placement, bool) {
	e.m.enter(c, now, a)
	to, ok := e.m.spawn(req)
	return sched.Placement{CPU: to, Term: sched.TermNone, Attempts: 1}, ok
}

func (e modelled) SetMask(c cpu.ID, now time.Duration, id process.ContextID, mask *cpu.Mask, a *sched.Actions) bool {
	e.m.enter(c, now, a)
	return e.m.setMask(id, mask)
}

func (e modelled) Wake(c cpu.ID, now time.Duration, id process.ContextID, a *sched.Actions) {
	e.m.enter(c, now, a)
	e.m.wake(id)
}

func (e modelled) Block(c cpu.ID, now, deadline time.Duration) {
	e.m.enter(c, now, nil)
	e.m.block(c, deadline)
}

func (e modelled) Unblock(c cpu.ID) { e.m.unblock(c) }

func (e modelled) Yield(c cpu.ID, now time.Duration) {
	e.m.enter(c, now, nil)
	e.m.yield(c)
}

func (e modelled) Exit(c cpu.ID, now time.Duration) {
	e.m.enter(c, now, nil)
	e.m.exit(c)
}

func (e modelled) Current(c cpu.ID) process.ContextID {
	if t := e.m.cpus[c].current; t != nil {
		return t.id
	}
	return 0
}

func (e modelled) Look(c cpu.ID) sched.Face {
	f := sched.Face{Current: e.Current(c), Idle: e.m.cpus[c].state, Pull: cpu.None}
	for _, t := range e.m.all(c) {
		if t.Class == process.Background {
			f.Background++
		} else {
			f.Load++
		}
	}
	return f
}

func (e modelled) Queued(c cpu.ID, out []process.ContextID) int {
	all := e.m.all(c)
	for i := range min(len(all), len(out)) {
		out[i] = all[i].id
	}
	return len(all)
}

// all returns what waits for c: in its own queue, and in the shared one if c is
// where it was last.
func (m *Model) all(c cpu.ID) []*Thread {
	q := m.shared[c]
	if q == nil || len(q.threads) == 0 {
		return m.cpus[c].queue.threads
	}
	all := slices.Clone(m.cpus[c].queue.threads)
	for _, t := range q.threads {
		if t.Last == c {
			all = append(all, t)
		}
	}
	return all
}

func (e modelled) Due(c cpu.ID) (time.Duration, process.ContextID) {
	if s := &e.m.cpus[c]; len(s.timers) > 0 {
		return s.timers[0].at, s.timers[0].t.id
	}
	return -1, 0
}

func (e modelled) Homes(p process.ID, c cpu.ID) int {
	if h := e.m.homes[p]; h != nil {
		return h.byCPU[c]
	}
	return 0
}

func (e modelled) CoreHomes(p process.ID, core int32) int {
	if h := e.m.homes[p]; h != nil {
		return h.byCore[core]
	}
	return 0
}
