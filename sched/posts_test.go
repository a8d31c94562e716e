package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// What waits on a CPU says nothing of isolated ones: a sleeper there was not sought.
func TestAPostThatNamesAnIsolatedCPUAlwaysRings(t *testing.T) {
	for _, c := range []struct {
		what  string
		class process.Class
		mask  cpu.Mask
		kicks []cpu.ID
	}{
		{"a thread that names none", process.Fair, only(0, 1), nil},
		{"a thread that names one", process.Fair, only(0, 2), []cpu.ID{0}},
		{"what never runs there", process.Service, only(0, 2), nil},
	} {
		r := newRig(t, shape(t, "L(3)"))
		r.s.SetIsolated(2)
		id := r.start(0, c.class)
		r.s.Table.Context(id).SetMask(&c.mask)
		r.park(0)
		r.start(0, process.Fair)
		r.start(1, process.Fair)
		roams := only(0, 1)
		r.s.Table.Context(r.pin(0, process.Fair, 1)).SetMask(&roams)
		r.enter(0)
		r.a.Reset()
		r.s.Wake(1, r.now, id, &r.a)
		t.Log(c.what)
		r.kicked(c.kicks...)
	}
}

func TestTheRotationRunsRoundTheMachine(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.start(0, process.Fair)
	for _, c := range []struct{ chosen, next cpu.ID }{{1, 2}, {2, 3}, {3, 0}, {0, 1}} {
		m := only(c.chosen)
		r.place(0, Request{Process: image, Context: r.context(process.Fair), Mask: &m})
		p, _ := r.s.Place(0, r.now, &Request{Process: image, Context: r.context(process.Fair)}, nil)
		r.want("the start of the rotation", p.Start, c.next)
	}
}

func TestAWakeIsAnEvent(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	id := r.start(3, process.Fair)
	r.start(1, process.Fair)
	r.park(3)
	r.a.Reset()
	r.s.Wake(1, r.now, id, &r.a)
	r.want("the event", r.event(EventWake), Event{Kind: EventWake, Context: id, From: 1, To: 3})
}

func TestADeadlineMayBeTheBeginningOfTime(t *testing.T) {
	r := newRig(t, shape(t, "L(1)"))
	id := r.start(0, process.Fair)
	r.s.Block(0, r.now, 0)
	at, of := r.s.Due(0)
	r.want("the alarm", at, time.Duration(0))
	r.want("whose it is", of, id)
}

func TestABlockTakenBackLeavesOthersTheirAlarms(t *testing.T) {
	r := newRig(t, shape(t, "L(1)"))
	id := r.start(0, process.Fair)
	r.s.Block(0, r.now, r.now+time.Hour)
	r.enter(0)
	r.start(0, process.Fair)
	for _, deadline := range []time.Duration{-1, r.now + time.Minute} {
		r.s.Block(0, r.now, deadline)
		r.s.Unblock(0)
		at, of := r.s.Due(0)
		r.want("the alarm", at, r.now+time.Hour)
		r.want("whose it is", of, id)
		r.want("a rule that is broken", r.s.Broken(0), "")
	}
}

func TestAReadTellsWhatWaitsForWhomItConcerns(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	for range 3 {
		r.pin(1, process.Background, 0)
	}
	r.pin(1, process.Fair, 0)
	raw := Raw{Homes: 7, CoreHomes: 7}
	r.s.read(1, r.now, false, &raw)
	r.want("load for others", raw.Load, uint32(1))
	r.want("homes", raw.Homes, int32(0))
	r.want("homes of the core", raw.CoreHomes, int32(0))
	r.s.read(1, r.now, true, &raw)
	r.want("load for background contexts", raw.Load, uint32(4))
}

func TestARequestThatIsOutOfDateMovesNothing(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	id := r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.setMask(1, id, 1)
	r.setMask(1, id, 0, 1)
	r.want("what CPU 0 runs", r.enter(0), id)
	r.want("migrations", r.s.Total(Migrations), uint64(0))
	r.want("preemptions", r.s.Total(Preemptions), uint64(0))
}

func TestAGangThatFitsNowhereBeginsWhereMostRoomIsFirst(t *testing.T) {
	for name, llc := range map[string]int32{"L(2,3,3)": 1, "L(1,3,2)": 1, "L(2,2,3)": 2, "L(4,3,3)": 0} {
		r := newRig(t, shape(t, name))
		r.start(0, process.Fair)
		to := r.s.toward(0, &Request{Process: image, Near: true, Context: r.context(process.Fair), Cores: 8, Toward: cpu.None})
		r.want("on "+name+", where eight begin", r.s.Topology.At[to].LLC, llc)
	}
}

func TestAPollerHasNotHalted(t *testing.T) {
	r := polling(t, "L(1)")
	before := r.s.Total(Halts)
	r.sleeps(0, time.Millisecond)
	r.want("it polls", r.polls(0), true)
	r.want("halts", r.s.Total(Halts), before)
	r.s.StopPolling(0, r.now)
	r.want("halts when it stops", r.s.Total(Halts), before+1)
}

func TestAPollerThatWakesUpGivesWayToTheNext(t *testing.T) {
	r := polling(t, "L(2)")
	r.sleeps(1, time.Millisecond)
	r.want("CPU 1 polls", r.polls(1), true)
	r.s.LeaveIdle(1, r.now)
	until, _ := r.s.Idling(1)
	r.want("until when it polls once it woke up", until, time.Duration(0))
	r.sleeps(0, time.Millisecond)
	r.want("CPU 0 polls", r.polls(0), true)
}

// It was kicked, or something was posted, while it decided to poll.
func TestWhoDoesNotGoToSleepDoesNotPoll(t *testing.T) {
	for what, come := range map[string]func(r *rig){
		"a kick": func(r *rig) { r.s.ring(1, r.now, 0, always, KickMask, &r.a) },
		"a post": func(r *rig) { r.pin(0, process.Fair, 1) },
	} {
		r := polling(t, "L(2)")
		r.start(0, process.Fair)
		r.start(1, process.Fair)
		r.s.Block(0, r.now, -1)
		r.s.Pass(0, r.now, &r.a)
		come(r)
		r.want("after "+what+" it sleeps", r.s.EnterIdle(0, r.now, &r.a), false)
		until, _ := r.s.Idling(0)
		r.want("after "+what+" it polls until", until, time.Duration(0))
		r.want("after "+what+" its group's idle CPUs", r.s.summaries[0].idle.Load(), uint64(0))
	}
}
