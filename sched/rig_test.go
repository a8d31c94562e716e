package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// rig is a machine whose steps a test takes one by one.
type rig struct {
	t   *testing.T
	s   *Scheduler
	now time.Duration
	v   View
	a   Actions
}

const image process.ID = 1

// newRig makes a machine on which every CPU sleeps.
func newRig(t *testing.T, top *cpu.Topology) *rig {
	t.Helper()
	r := &rig{t: t, s: new(Scheduler), now: time.Second}
	r.s.Init(top)
	for c := range top.Count {
		r.s.Online(cpu.ID(c), r.now)
		r.enter(cpu.ID(c))
	}
	r.a.Reset()
	return r
}

func shape(t *testing.T, s string) *cpu.Topology {
	t.Helper()
	top, err := cpu.ParseShape(s)
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// crossed is the machine of the placement rules' examples: two LLC domains of two
// SMT cores, with cpu1's domain {1,3,5,7} and its core {1,5}.
func crossed() *cpu.Topology {
	top := new(cpu.Topology)
	locs := make([]cpu.Location, 8)
	for i := range locs {
		n := uint32(i)
		locs[i] = cpu.Location{APIC: n, Core: cpu.Key{n % 4}, LLC: cpu.Key{n % 2}}
	}
	cpu.Build(top, locs)
	return top
}

// context makes a context with a thread, or a Service one.
func (r *rig) context(class process.Class) process.ContextID {
	r.t.Helper()
	id := r.s.Table.NewContext(image, process.Service)
	if class != process.Service {
		r.s.Table.Occupy(r.s.Table.NewThread(image, class, &[16]byte{}, false), id)
	}
	return id
}

// start makes a new thread run on c.
func (r *rig) start(c cpu.ID, class process.Class) process.ContextID {
	r.t.Helper()
	id := r.pin(c, class, cpu.None)
	if next := r.enter(c); next != id {
		r.t.Fatalf("CPU %d runs %d, want %d", c, next, id)
	}
	r.release(id)
	r.a.Reset()
	return id
}

// pin sends a new thread to c by its mask. The spawner is c too unless from is a CPU.
func (r *rig) pin(c cpu.ID, class process.Class, from cpu.ID) process.ContextID {
	r.t.Helper()
	if from == cpu.None {
		from = c
	}
	id := r.context(class)
	m := only(c)
	before := r.s.locals[from].start
	if _, ok := r.s.Spawn(from, r.now, &Request{Context: id, Process: image, Mask: &m}, &r.v, &r.a); !ok {
		r.t.Fatalf("CPU %d takes no thread", c)
	}
	r.s.locals[from].start = before // what is only set up leaves no trace in the rotation
	return id
}

// release lets id run anywhere.
func (r *rig) release(id process.ContextID) {
	var m cpu.Mask
	m.SetAll(cpu.Max)
	r.s.Table.Context(id).SetMask(&m)
}

// park makes the current context of c wait and c go on.
func (r *rig) park(c cpu.ID) {
	r.s.Block(c, r.now, -1)
	r.enter(c)
}

// enter is a kernel entry of c, with an interrupt if it sleeps; it returns what runs
// afterwards.
func (r *rig) enter(c cpu.ID) process.ContextID {
	r.t.Helper()
	if state := r.s.Look(c).Idle; r.s.Current(c) == 0 && state != Busy {
		r.s.LeaveIdle(c, r.now)
	}
	for range 3 + process.MaxContexts/recallPiece {
		next, _ := r.s.Pass(c, r.now, &r.a)
		if next != 0 || r.s.EnterIdle(c, r.now, &r.a) {
			return next
		}
	}
	r.t.Fatalf("CPU %d neither runs nor sleeps", c)
	return 0
}

// spawn spawns a fair thread near c and lets its CPU take it.
func (r *rig) spawn(c cpu.ID) Placement {
	r.t.Helper()
	return r.place(c, Request{Process: image, Near: true, Context: r.context(process.Fair)})
}

func (r *rig) place(c cpu.ID, req Request) Placement {
	r.t.Helper()
	p, ok := r.s.Spawn(c, r.now, &req, &r.v, &r.a)
	if !ok {
		r.t.Fatal("no CPU")
	}
	return p
}

func only(cpus ...cpu.ID) cpu.Mask {
	var m cpu.Mask
	for _, c := range cpus {
		m.Set(c)
	}
	return m
}

// kicked checks which CPUs are to be kicked and forgets them.
func (r *rig) kicked(want ...cpu.ID) {
	r.t.Helper()
	if m := only(want...); !r.a.Kicks.Equal(&m) {
		r.t.Errorf("kicks go to %v, want %v", &r.a.Kicks, &m)
	}
	r.a.Reset()
}
