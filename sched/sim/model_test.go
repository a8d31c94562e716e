package sim

import (
	"errors"
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"strings"
	"testing"
	"time"
)

// scripted is a policy whose answers a test gives.
type scripted struct {
	Base
	wake func(m *Model, t *Thread, from cpu.ID) cpu.ID
	idle func(m *Model, c cpu.ID) *Thread
	tick func(m *Model, c cpu.ID)
}

func (p *scripted) Wake(m *Model, t *Thread, from cpu.ID) cpu.ID {
	if p.wake == nil {
		return p.Base.Wake(m, t, from)
	}
	return p.wake(m, t, from)
}

func (p *scripted) Idle(m *Model, c cpu.ID) *Thread {
	if p.idle == nil {
		return nil
	}
	return p.idle(m, c)
}

func (p *scripted) Tick(m *Model, c cpu.ID) {
	if p.tick != nil {
		p.tick(m, c)
	}
}

// bench is a model whose calls a test makes one by one. CPU 0 runs context 1.
type bench struct {
	t   *testing.T
	e   modelled
	a   sched.Actions
	now time.Duration
}

func newBench(t *testing.T, shape string, p Policy) *bench {
	t.Helper()
	top, err := cpu.ParseShape(shape)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, e: modelled{newModel("test", p)}}
	b.e.Init(top)
	for c := range cpu.ID(top.Count) {
		b.e.Online(c, 0)
	}
	b.e.Start(0, b.context(process.Fair), 0)
	for c := range cpu.ID(top.Count) {
		b.rest(c)
	}
	return b
}

func (b *bench) context(class process.Class) process.ContextID {
	table := b.e.Table()
	id := table.NewContext(image, process.Service)
	table.Occupy(table.NewThread(image, class, new([16]byte), false), id)
	return id
}

// rest makes c's Pass and, if it has nothing to run, its EnterIdle.
func (b *bench) rest(c cpu.ID) process.ContextID {
	b.now += time.Microsecond
	next, _ := b.e.Pass(c, b.now, &b.a)
	if next == 0 {
		b.e.EnterIdle(c, b.now, &b.a)
	}
	return next
}

// spawn starts a thread from CPU c on the CPUs of a mask.
func (b *bench) spawn(c cpu.ID, mask string, class process.Class) process.ContextID {
	b.t.Helper()
	set, err := cpu.ParseMask(mask)
	if err != nil {
		b.t.Fatal(err)
	}
	id := b.context(class)
	if _, ok := b.e.Spawn(c, b.now, &sched.Request{Context: id, Process: image, Mask: &set}, nil, &b.a); !ok {
		b.t.Fatal("refused")
	}
	return id
}

// interrupt is a kick or an alarm of c.
func (b *bench) interrupt(c cpu.ID) process.ContextID {
	b.e.LeaveIdle(c, b.now)
	return b.rest(c)
}

func (b *bench) kicks() string { return b.a.Kicks.String() }

func TestModelKicksASleeperOnce(t *testing.T) {
	b := newBench(t, "L(2)", &scripted{})
	b.spawn(0, "{1}", process.Fair)
	b.spawn(0, "{1}", process.Fair)
	if b.a.N != 1 || b.kicks() != "{1}" {
		t.Errorf("%d events, kicks to %s", b.a.N, b.kicks())
	}
}

func TestModelRunsTheMoreUrgentClassAtOnce(t *testing.T) {
	b := newBench(t, "L(2)", &scripted{})
	b.spawn(0, "{1}", process.Background)
	b.interrupt(1)
	b.a.Reset()
	urgent := b.spawn(0, "{1}", process.Fair)
	if b.kicks() != "{1}" {
		t.Errorf("kicks to %s, want {1}", b.kicks())
	}
	if got := b.interrupt(1); got != urgent {
		t.Errorf("CPU 1 runs context %d, want %d", got, urgent)
	}
}

func TestModelTakesTurnsByTheSlice(t *testing.T) {
	b := newBench(t, "L(1)", &scripted{})
	second := b.spawn(0, "{0}", process.Fair)
	if got := b.rest(0); got == second {
		t.Fatal("the turn ended early")
	}
	b.now += DefaultSlice
	if got := b.rest(0); got != second {
		t.Errorf("context %d runs, want %d", got, second)
	}
}

func TestModelTicksOnlyWhereAThreadRuns(t *testing.T) {
	ticks := map[cpu.ID]int{}
	b := newBench(t, "L(2)", &scripted{tick: func(m *Model, c cpu.ID) { ticks[c]++ }})
	for range 3 {
		b.now += TickPeriod
		b.rest(0)
		b.interrupt(1)
	}
	if ticks[0] != 3 || ticks[1] != 0 {
		t.Errorf("ticks %v", ticks)
	}
}

// Nobody may run what a CPU has not saved: it waits for that CPU, whatever the policy.
func TestModelWakesAnUnsavedThreadOnItsOwnCPU(t *testing.T) {
	away := &scripted{wake: func(m *Model, t *Thread, from cpu.ID) cpu.ID { return 1 - t.Last }}
	b := newBench(t, "L(2)", away)
	id := b.spawn(0, "{1}", process.Fair)
	b.interrupt(1)
	all, _ := cpu.ParseMask("{0-1}")
	b.e.SetMask(0, b.now, id, &all, &b.a)
	b.e.Block(1, b.now, -1)
	b.e.Wake(0, b.now, id, &b.a)
	if home := b.e.Table().Context(id).Home(); home != 1 {
		t.Errorf("woken on CPU %d before its registers were saved", home)
	}
	b.rest(1)
	b.e.Block(1, b.now, -1)
	b.rest(1)
	b.e.Wake(0, b.now, id, &b.a)
	if home := b.e.Table().Context(id).Home(); home != 0 {
		t.Errorf("woken on CPU %d although the policy said 0", home)
	}
}

func TestModelTakesFromASharedQueueWhatIsAllowed(t *testing.T) {
	shared := &sharing{}
	b := newBench(t, "L(2,1)", shared)
	id := b.spawn(0, "{1-2}", process.Fair)
	other := b.spawn(0, "{2}", process.Fair)
	if got := b.interrupt(1); got != id {
		t.Errorf("CPU 1 took context %d, want %d", got, id)
	}
	if got := b.interrupt(2); got != other {
		t.Errorf("CPU 2 took context %d, want %d", got, other)
	}
}

// sharing queues everything in one queue of the machine.
type sharing struct{ Base }

func (*sharing) Start(m *Model)                            { m.Share(nil) }
func (*sharing) Place(*Model, *Thread, cpu.ID) cpu.ID      { return cpu.None }
func (*sharing) Wake(m *Model, t *Thread, c cpu.ID) cpu.ID { return cpu.None }

func TestModelMovesWhatWaitsWhenItsMaskChanges(t *testing.T) {
	b := newBench(t, "L(2)", &scripted{})
	id := b.spawn(0, "{0}", process.Fair)
	b.a.Reset()
	one, _ := cpu.ParseMask("{1}")
	b.e.SetMask(0, b.now, id, &one, &b.a)
	if home := b.e.Table().Context(id).Home(); home != 1 || b.kicks() != "{1}" {
		t.Errorf("on CPU %d, kicks to %s", home, b.kicks())
	}
}

func TestModelEmptiesACPUThatGoesOffline(t *testing.T) {
	b := newBench(t, "L(3)", &scripted{})
	runs := b.spawn(0, "{1-2}", process.Fair)
	waits := b.spawn(0, "{1}", process.Fair)
	b.interrupt(1)
	if !b.e.SetOffline(0, b.now, 1, &b.a) {
		t.Fatal("refused")
	}
	b.interrupt(1)
	table := b.e.Table()
	if b.e.Current(1) != 0 || table.Context(runs).Home() != 2 || table.Context(waits).Home() == 1 {
		t.Errorf("CPU 1 runs %d, homes %d and %d", b.e.Current(1), table.Context(runs).Home(), table.Context(waits).Home())
	}
	b.e.SetOnline(0, b.now, 1, &b.a)
	b.interrupt(2)
	if home := table.Context(waits).Home(); home != 1 {
		t.Errorf("after its CPU came back it is on CPU %d", home)
	}
}

func TestModelStealsOnlyWhatIsAllowed(t *testing.T) {
	b := newBench(t, "L(3)", &scripted{idle: func(m *Model, c cpu.ID) *Thread { return m.StealBusiest(nil, c, 1) }})
	b.spawn(0, "{0}", process.Fair)
	id := b.spawn(0, "{0,2}", process.Fair)
	if got := b.interrupt(1); got != 0 {
		t.Errorf("CPU 1 took context %d", got)
	}
	if got := b.interrupt(2); got != id {
		t.Errorf("CPU 2 took context %d, want %d", got, id)
	}
}

func TestModelCountsTheCPUsThatAPolicyLooksAt(t *testing.T) {
	b := newBench(t, "L(4,4)", &scripted{wake: func(m *Model, t *Thread, from cpu.ID) cpu.ID {
		return m.Find(t, nil, 0, func(c cpu.ID) bool { return m.Idle(c) && c == 7 })
	}})
	id := b.spawn(0, "{0}", process.Fair)
	all, _ := cpu.ParseMask("{0-7}")
	b.e.SetMask(0, b.now, id, &all, &b.a)
	b.e.Yield(0, b.now)
	b.rest(0)
	b.e.Block(0, b.now, -1)
	b.rest(0)
	near, far := b.e.m.cpus[0].near, b.e.m.cpus[0].far
	b.e.Wake(0, b.now, id, &b.a)
	near, far = b.e.m.cpus[0].near-near, b.e.m.cpus[0].far-far
	if near < 3 || near > 4 || far < 4 || far > 6 {
		t.Errorf("%d near and %d far lines for a search over 3 and 4 CPUs", near, far)
	}
}

func TestPoliciesAreAskedForByName(t *testing.T) {
	Register("test-only", "waits", "this test", func() Policy { return &scripted{} })
	defer delete(engines, "test-only")
	if !strings.Contains(fmt.Sprint(Policies()), "test-only") {
		t.Error("not among the policies")
	}
	defer func() {
		if recover() == nil {
			t.Error("two policies may have one name")
		}
	}()
	Register("test-only", "again", "this test", func() Policy { return &scripted{} })
}

func TestAPolicyThatChoosesNoCPUOfTheMachineIsTold(t *testing.T) {
	b := newBench(t, "L(2)", &scripted{wake: func(*Model, *Thread, cpu.ID) cpu.ID { return 7 }})
	id := b.spawn(0, "{1}", process.Fair)
	b.interrupt(1)
	b.e.Block(1, b.now, -1)
	b.rest(1)
	defer func() {
		if got := fmt.Sprint(recover()); got != "it chose CPU 7 for a thread; there are 0 to 1" {
			t.Errorf("panic: %s", got)
		}
	}()
	b.e.Wake(0, b.now, id, &b.a)
}

// wild places where no CPU is.
type wild struct{ Base }

func (*wild) Place(*Model, *Thread, cpu.ID) cpu.ID { return 99 }

func TestAPanicOfAPolicyIsAFindingThatNamesIt(t *testing.T) {
	Register("wild", "chooses anything", "this test", func() Policy {
		return &wild{}
	})
	defer delete(engines, "wild")
	sc, err := Parse("wild.txt", []byte("scenario W\nmachine L(2)\nthread main\n  spawn t\n  run 10us\n  wake t\n  join t\nthread t\n  block\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, keep := range []bool{false, true} {
		_, err = sc.Run(Options{Engine: "wild", Seed: 3, Keep: keep})
		var broken *Violation
		if !errors.As(err, &broken) || broken.Invariant != "policy" || broken.Seed != 3 || broken.Step == 0 ||
			!strings.Contains(broken.Detail, "policy wild stopped with a panic: it chose CPU 99 for a thread; there are 0 to 1") {
			t.Errorf("keep %v: %v", keep, err)
		}
	}
}
