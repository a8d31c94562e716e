package sim

import (
	"bytes"
	"fmt"
	"hearth/cpu"
	"hearth/sched"
	"time"
)

// Outcome is what a run did: data for tests and comparisons.
type Outcome struct {
	Spawns     []Spawned      // in order of time, as all of these
	Kicks      []Kick         // those that were sent
	Migrations []Migration    // of threads that were queued, or had to leave
	Ended      []Ended        // the ends of threads
	Elapsed    time.Duration  // model time
	Steps      int            // of all CPUs together
	Longest    int            // the most threads that one call of the scheduler visited
	Reach      map[string]int // how often each invariant was put to the test
	Seed       uint64         // of the run
	Violations map[string]int // with Options.Keep or Counted: how often each invariant was broken
	Waits      []Wait         // every time that a thread was runnable and did not run
	Wakes      int            // of threads that waited for something
	Lines      int            // of other CPUs that posts touched
	FarLines   int            // those of them from another LLC domain
	Decisions  int            // spawns and wakes
	Gaps       int            // spawns that were compared with the best one, on up to 16 CPUs
	GapSum     float64        // how much longer their first slices take than the best ones', all together
	GapWorst   float64        // the largest of those
	Reads      int            // lines of other LLC domains that decisions looked at

	Items      int // posted to pools
	ItemWakes  int // of workers, for an item
	EmptyWakes int // of workers that found no item

	top    *cpu.Topology
	first  cpu.ID // where main began
	spells        // who ran when, if an expectation asks
}

// Spawned is a placement.
type Spawned struct {
	At       time.Duration // since the run began
	Name     string        // of the thread
	Spawner  cpu.ID        // where the spawn was called
	CPU      cpu.ID        // where the thread was placed
	Key      sched.Key     // of that CPU
	Term     int32         // the term that decided
	Start    cpu.ID        // where the rotation began
	Attempts int32         // claims tried
	Reads    int           // lines of other LLC domains that it looked at

	RunnerUp    cpu.ID    // the next best CPU, cpu.None if there is none or it is not known
	RunnerUpKey sched.Key // of that CPU
}

// Kick is a kick that was sent.
type Kick struct {
	At     time.Duration // since the run began
	From   cpu.ID        // the sender
	To     cpu.ID        // the CPU that must look
	Reason sched.Reason  // why
	Far    bool          // to another LLC domain
}

// Migration is a move of a thread from one CPU to another.
type Migration struct {
	At     time.Duration // since the run began
	Name   string        // of the thread
	From   cpu.ID        // its home before
	To     cpu.ID        // its home afterwards
	Reason sched.Reason  // why
	Far    bool          // to another LLC domain
}

// Ended is the end of a thread.
type Ended struct {
	At     time.Duration // since the run began
	Name   string        // of the thread
	CPU    cpu.ID        // where it ran last
	Waited time.Duration // the longest time that it was runnable and did not run
	Ran    cpu.Mask      // where it ran

	Idly      time.Duration // the longest that it waited as work-conserved measures it
	Late      time.Duration // the latest end of a timed wait after its time
	Early     time.Duration // the earliest one before it
	Preempted int           // how often it had to give up its CPU
}

// Wait is a time in which a thread was runnable and did not run.
type Wait struct {
	Name  string        // of the thread
	Since time.Duration // since the run began
	For   time.Duration
	Cause Cause
}

// Cause says what made a thread wait for a CPU.
type Cause uint8

const (
	// Spawning: it was spawned.
	Spawning Cause = iota
	// Waking: it was woken.
	Waking
	// Preempted: another one got its CPU, or it gave way.
	Preempted
)

// End returns the end of the thread of that name.
func (o *Outcome) End(name string) Ended {
	for _, e := range o.Ended {
		if e.Name == name {
			return e
		}
	}
	return Ended{CPU: cpu.None}
}

// Moves returns the migrations of the thread of that name.
func (o *Outcome) Moves(name string) (moves []Migration) {
	for _, g := range o.Migrations {
		if g.Name == name {
			moves = append(moves, g)
		}
	}
	return moves
}

// FarKicks returns the kicks to another LLC domain.
func (o *Outcome) FarKicks() (far []Kick) {
	for _, k := range o.Kicks {
		if k.Far {
			far = append(far, k)
		}
	}
	return far
}

// Placed returns the CPU on which the thread of that name was placed, cpu.None if
// it was not.
func (o *Outcome) Placed(name string) cpu.ID {
	for _, s := range o.Spawns {
		if s.Name == name {
			return s.CPU
		}
	}
	return cpu.None
}

// Bytes writes the outcome down; equal runs give equal bytes.
func (o *Outcome) Bytes() []byte {
	var b bytes.Buffer
	for _, s := range o.Spawns {
		fmt.Fprintf(&b, "%d spawn %s from %d on %d key %v term %d start %d attempts %d\n",
			s.At, s.Name, s.Spawner, s.CPU, s.Key, s.Term, s.Start, s.Attempts)
	}
	for _, k := range o.Kicks {
		fmt.Fprintf(&b, "%d kick %d to %d reason %d far %v\n", k.At, k.From, k.To, k.Reason, k.Far)
	}
	for _, g := range o.Migrations {
		fmt.Fprintf(&b, "%d migrate %s from %d to %d reason %d far %v\n", g.At, g.Name, g.From, g.To, g.Reason, g.Far)
	}
	for _, e := range o.Ended {
		fmt.Fprintf(&b, "%d end of %s on %d, waited %d\n", e.At, e.Name, e.CPU, e.Waited)
	}
	fmt.Fprintf(&b, "%d end after %d steps\n", o.Elapsed, o.Steps)
	return b.Bytes()
}

func (o *Outcome) spawn(m *machine, v *virtual, t *thread, p *sched.Placement, reads int) {
	next := sched.Ranking{RunnerUp: cpu.None}
	m.s.Explain(&m.view, &next)
	o.Spawns = append(o.Spawns, Spawned{
		At: m.now, Name: t.name, Spawner: v.id, CPU: p.CPU, Key: p.Key, Term: p.Term, Start: p.Start,
		Attempts: p.Attempts, Reads: reads, RunnerUp: next.RunnerUp, RunnerUpKey: next.RunnerUpKey,
	})
}

func (o *Outcome) kick(m *machine, e *sched.Event) {
	o.Kicks = append(o.Kicks, Kick{m.now, e.From, e.To, e.Reason, m.far(e.From, e.To)})
}

func (o *Outcome) migrate(m *machine, e *sched.Event) {
	name := "?"
	if t := m.who(e.Context); t != nil {
		name = t.name
	}
	o.Migrations = append(o.Migrations, Migration{m.now, name, e.From, e.To, e.Reason, m.far(e.From, e.To)})
}
