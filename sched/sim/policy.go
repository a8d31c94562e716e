package sim

import (
	"fmt"
	"hearth/cpu"
	"slices"
	"strings"
	"time"
)

// Policy is what tells one scheduler from another: where threads start, where they
// wake, what an idle CPU takes from others and what a busy one does at its tick. The
// Model carries it out: queues, kicks, alarms, slices and idling are its part.
//
// A policy is made anew for each run, so it may keep what it likes in its own
// fields. It must use no clock and no chance but the Model's, so that a seed repeats
// a run. Embed Base and write the methods in which the scheduler differs:
//
//	type lazy struct{ sim.Base }
//
//	// Wake: where it slept, whatever goes on there.
//	func (lazy) Wake(m *sim.Model, t *sim.Thread, from cpu.ID) cpu.ID { return t.Last }
//
//	func init() {
//		sim.Register("lazy", "wakes where it slept", "this example", func() sim.Policy { return lazy{} })
//	}
//
// What more a policy may say has an interface each: Starter, Orderer, Preempter,
// Slicer, Halter, Requeuer, Remasker, Pusher,
// TimerHolder, UnsavedRunner.
type Policy interface {
	// Place returns the CPU on which the new thread t starts; the thread that spawns
	// it runs on CPU from. cpu.None is the shared queue of from.
	Place(m *Model, t *Thread, from cpu.ID) cpu.ID
	// Wake returns the CPU on which t waits to run; it was woken on CPU from and ran
	// last on t.Last. cpu.None is the shared queue of t.Last.
	Wake(m *Model, t *Thread, from cpu.ID) cpu.ID
	// Idle returns a thread that c, whose queues are empty, takes from another CPU's;
	// nil for none.
	Idle(m *Model, c cpu.ID) *Thread
	// Tick is called every TickPeriod on a CPU that runs a thread. It may Move threads
	// that wait and Kick CPUs.
	Tick(m *Model, c cpu.ID)
}

// Base is a policy to embed: threads start and wake where they were or, if that may
// not be, on the first CPU that is allowed; nothing is balanced.
type Base struct{}

// Place keeps t on its spawner's CPU.
func (Base) Place(m *Model, t *Thread, from cpu.ID) cpu.ID { return m.AllowedNear(t, from) }

// Wake keeps t where it ran last.
func (Base) Wake(m *Model, t *Thread, from cpu.ID) cpu.ID { return m.AllowedNear(t, t.Last) }

// Idle takes nothing.
func (Base) Idle(*Model, cpu.ID) *Thread { return nil }

// Tick does nothing.
func (Base) Tick(*Model, cpu.ID) {}

// Starter is a policy that prepares before the first thread runs: it may Share queues
// and look at the topology.
type Starter interface{ Start(m *Model) }

// Orderer is a policy that orders the threads of one class in a queue. Without it
// they stand in the order in which they came.
type Orderer interface{ Before(a, b *Thread) bool }

// Preempter is a policy that lets t, just queued, end the turn of a running thread of
// its class. Of a less urgent class it always does.
type Preempter interface {
	// Preempts reports whether t goes first.
	Preempts(m *Model, t, running *Thread) bool
}

// Slicer is a policy whose threads run for another time than DefaultSlice while
// others wait.
type Slicer interface {
	// Slice returns how long t's turn is.
	Slice(m *Model, t *Thread) time.Duration
}

// Halter is a policy with a rule of its own for the last look before c halts: false
// looks for work once more. Without it c halts if nothing waits in its queues.
type Halter interface{ Halt(m *Model, c cpu.ID) bool }

// Requeuer is a policy that may queue a thread elsewhere whose turn on c is over.
type Requeuer interface {
	// Requeue returns the CPU on which t waits on.
	Requeue(m *Model, t *Thread, c cpu.ID) cpu.ID
}

// Remasker is a policy with a rule of its own for a thread that waits and may not
// stay where it does. Without it the thread is queued where Wake says.
type Remasker interface{ Remask(m *Model, t *Thread) }

// Pusher is a policy that may Move threads which wait on c behind the one that it runs
// from now on.
type Pusher interface{ Push(m *Model, c cpu.ID) }

// TimerHolder is a policy that lets due alarms of c wait.
type TimerHolder interface{ HoldsTimers(m *Model, c cpu.ID) bool }

// UnsavedRunner is a policy under which a thread may run elsewhere before the CPU
// that it just left has saved its registers. It exists to be caught.
type UnsavedRunner interface{ RunsUnsaved() }

// PolicyInfo describes a registered policy.
type PolicyInfo struct {
	Name   string // as a scenario's fails line names it
	Rule   string // what it does, in a line
	Source string // where that is documented or was reported
}

var policies []PolicyInfo

// Register makes a policy known by its name as an engine of scenarios. Call it from
// an init function; it panics if the name is taken.
func Register(name, rule, source string, make func() Policy) {
	registerEngine(name, func() engine { return newModelled(name, make()) })
	policies = append(policies, PolicyInfo{name, rule, source})
}

// Policies lists the registered policies by name.
func Policies() []PolicyInfo {
	all := slices.Clone(policies)
	slices.SortFunc(all, func(a, b PolicyInfo) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// String describes the policy in a line.
func (p PolicyInfo) String() string { return fmt.Sprintf("%-20s %s (%s)", p.Name, p.Rule, p.Source) }
