package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"slices"
	"sort"
	"strings"
	"time"
)

// engine is a scheduler as the machine drives it: Hearth's own or a model of somebody
// else's. Each method does what that of *sched.Scheduler does; a kernel entry of a CPU
// is some of them, then Pass, its kicks and, if nothing is to run, EnterIdle.
type engine interface {
	Init(top *cpu.Topology)
	Table() *process.Table
	Topology() *cpu.Topology
	SetSlowness(c cpu.ID, slowness uint16)
	SetExitLatency(c cpu.ID, d time.Duration)
	SetIsolated(c cpu.ID)
	SetPollBudget(budget time.Duration)
	Online(c cpu.ID, now time.Duration)
	IsOnline(c cpu.ID) bool
	Start(c cpu.ID, id process.ContextID, now time.Duration)

	Pass(c cpu.ID, now time.Duration, a *sched.Actions) (next process.ContextID, alarm time.Duration)
	EnterIdle(c cpu.ID, now time.Duration, a *sched.Actions) bool
	Idling(c cpu.ID) (pollUntil time.Duration, state int)
	Polled(c cpu.ID) bool
	StopPolling(c cpu.ID, now time.Duration) bool
	LeaveIdle(c cpu.ID, now time.Duration)
	Expired(c cpu.ID, now time.Duration) (id process.ContextID, due bool)
	Spawn(c cpu.ID, now time.Duration, req *sched.Request, v *sched.View, a *sched.Actions) (sched.Placement, bool)
	SetMask(c cpu.ID, now time.Duration, id process.ContextID, m *cpu.Mask, a *sched.Actions) bool
	Wake(c cpu.ID, now time.Duration, id process.ContextID, a *sched.Actions)
	Block(c cpu.ID, now, deadline time.Duration)
	Unblock(c cpu.ID)
	Yield(c cpu.ID, now time.Duration)
	Vacate(c cpu.ID)
	Exit(c cpu.ID, now time.Duration)

	inspection
}

// inspection is what the invariants ask. Of a model, what makes sense for Hearth's
// scheduler alone answers as if nothing were wrong: Broken… "", Steps 0, Explain false.
type inspection interface {
	Current(c cpu.ID) process.ContextID
	Look(c cpu.ID) sched.Face
	Queued(c cpu.ID, out []process.ContextID) int
	Posted(c cpu.ID, out []process.ContextID) int
	Due(c cpu.ID) (at time.Duration, id process.ContextID)
	Homes(p process.ID, c cpu.ID) int
	CoreHomes(p process.ID, core int32) int
	Explain(v *sched.View, best *sched.Ranking) bool
	Steps(c cpu.ID) uint64
	Broken(c cpu.ID) string
	BrokenPass(c cpu.ID, now, alarm time.Duration) string
	BrokenIdle(c cpu.ID) string
}

// seeded is an engine that makes choices of its own by chance.
type seeded interface{ seed(seed uint64) }

// real is Hearth's scheduler as an engine.
type real struct {
	*sched.Scheduler
	differs string // what a search by summaries got wrong
}

func (e *real) Table() *process.Table   { return &e.Scheduler.Table }
func (e *real) Topology() *cpu.Topology { return &e.Scheduler.Topology }

// Hearth is the name of Hearth's own scheduler among the engines.
const Hearth = "hearth"

var engines = map[string]func() engine{}

func init() { registerEngine(Hearth, func() engine { return &real{Scheduler: new(sched.Scheduler)} }) }

var own = []PolicyInfo{{Hearth, "Hearth's scheduler itself", "docs/placement.md"}}

// Own lists the engines that are Hearth's scheduler and no model.
func Own() []PolicyInfo { return slices.Clone(own) }

// registerEngine makes an engine known by a name. It panics if the name is taken,
// which only a program can do wrong.
func registerEngine(name string, make func() engine) {
	if engines[name] != nil {
		panic("sim: two engines are named " + name)
	}
	engines[name] = make
}

// newEngine returns a new engine of that name, Hearth's if it is empty.
func newEngine(name string) (engine, error) {
	if name == "" {
		name = Hearth
	}
	make := engines[name]
	if make == nil {
		return nil, fmt.Errorf("unknown policy %q: there are %s", name, strings.Join(Engines(), ", "))
	}
	return make(), nil
}

// Engines returns the names of all engines that can run a scenario, in order.
func Engines() []string {
	var names []string
	for name := range engines {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
