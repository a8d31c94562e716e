package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"time"
)

const (
	// TickPeriod is how often a CPU that runs a thread is interrupted: a kernel with
	// 250 ticks a second.
	TickPeriod = 4 * time.Millisecond
	// DefaultSlice is how long a thread runs while others of its class wait.
	DefaultSlice = 3 * time.Millisecond
)

// Model is a scheduler of the usual construction that a Policy completes: a run queue
// for each CPU under a lock that any CPU may take, shared queues if the policy wants
// them, a tick, one kick a sleep. A call of it is atomic: what a real kernel could
// interleave within its locks is not modelled, unless a policy's interface says so.
type Model struct {
	name    string
	policy  Policy
	hooks   hooks
	top     cpu.Topology
	table   process.Table
	random  random
	now     time.Duration
	at      cpu.ID         // the CPU that makes the present call
	act     *sched.Actions // of that call
	cpus    []seat
	threads [process.MaxContexts + 1]*Thread
	shared  []*runQueue // that of CPU c is shared[c], nil for none
	homes   map[process.ID]*homeCount
	online  cpu.Mask
	apart   cpu.Mask // isolated
	changes int      // of masks of CPUs
	watch   *watch   // of the run, nil if nobody watches it

	unplugged bool // some CPU has been offline
	slow      [cpu.Max]uint16
	latency   [cpu.Max]time.Duration
}

// seat is a CPU of the model.
type seat struct {
	id       cpu.ID
	state    sched.Idle
	current  *Thread
	queue    runQueue
	leaving  []*Thread // left it since its last Pass: not yet saved
	timers   []timer   // by time
	idleBit  bool      // see Claim
	resched  bool      // current's turn is over
	since    time.Duration
	sliceEnd time.Duration
	tick     time.Duration // when the next one is due
	idleAt   time.Duration // when it last became idle
	start    cpu.ID        // for Rotation
	near     uint64        // lines of other CPUs of its LLC domain, read or written
	far      uint64        // lines of other domains
}

// timer is the alarm of a blocked thread.
type timer struct {
	at time.Duration
	t  *Thread
}

// Thread is what a policy knows of a thread. Data is the policy's own.
type Thread struct {
	Process process.ID
	Class   process.Class
	Near    bool          // works with its spawner
	Last    cpu.ID        // the CPU that it waits for, runs on or ran on last
	Queued  time.Duration // when it was queued last
	Ran     time.Duration // when it last ran
	Spent   time.Duration // computed in all
	Virtual time.Duration // Spent, moved on where an Orderer's queue needs it
	Wakes   int
	Data    any

	id      process.ContextID
	unsaved bool
	armed   bool // has an alarm
	chosen  bool // somebody gave it its mask
	leave   bool // may not stay where it runs
	counted bool // among its process's homes
	first   bool // goes to the front of its queue: its turn was cut short
	in      *runQueue
	allowed cpu.Mask
	asOf    int // the change of the CPUs' masks that allowed is of
}

// String names the thread as the table does.
func (t *Thread) String() string { return fmt.Sprintf("context %d", t.id) }

// hooks are the policy's further interfaces, nil where it has none.
type hooks struct {
	order   Orderer
	preempt Preempter
	slice   Slicer
	halt    Halter
	requeue Requeuer
	remask  Remasker
	push    Pusher
	timers  TimerHolder
	unsaved UnsavedRunner
}

func newModel(name string, p Policy) *Model {
	m := &Model{name: name, policy: p, homes: map[process.ID]*homeCount{}, changes: 1}
	m.hooks.order, _ = p.(Orderer)
	m.hooks.preempt, _ = p.(Preempter)
	m.hooks.slice, _ = p.(Slicer)
	m.hooks.halt, _ = p.(Halter)
	m.hooks.requeue, _ = p.(Requeuer)
	m.hooks.remask, _ = p.(Remasker)
	m.hooks.push, _ = p.(Pusher)
	m.hooks.timers, _ = p.(TimerHolder)
	m.hooks.unsaved, _ = p.(UnsavedRunner)
	return m
}

// init takes the machine's topology; no CPU is online yet.
func (m *Model) init(top *cpu.Topology) {
	m.top = *top
	m.table.Init()
	m.cpus = make([]seat, top.Count)
	m.shared = make([]*runQueue, top.Count)
	for i := range m.cpus {
		m.cpus[i].id = cpu.ID(i)
	}
	if s, ok := m.policy.(Starter); ok {
		s.Start(m)
	}
}

// enter notes who makes a call, when, and where its kicks are collected.
func (m *Model) enter(c cpu.ID, now time.Duration, a *sched.Actions) {
	m.at, m.now, m.act = c, now, a
}
