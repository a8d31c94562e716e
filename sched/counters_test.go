package sched

import (
	"hearth/process"
	"testing"
)

// counted checks by how much each counter of all CPUs together has grown.
func (r *rig) counted(do func(), want map[Counter]uint64) {
	r.t.Helper()
	var before [counterKinds]uint64
	for k := range before {
		before[k] = r.s.Total(Counter(k))
	}
	do()
	for k := range before {
		if got := r.s.Total(Counter(k)) - before[k]; got != want[Counter(k)] {
			r.t.Errorf("counter %d grew by %d, want %d", k, got, want[Counter(k)])
		}
	}
}

func TestEveryEventIsCountedWhereItHappens(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.want("halts of a machine that fell asleep", r.s.Total(Halts), uint64(2))
	a := r.start(0, process.Fair)
	var b process.ContextID
	r.counted(func() { b = r.pin(1, process.Fair, 0) }, map[Counter]uint64{Spawns: 1, Kicks: 1, Crossings: 1})
	r.counted(func() { r.enter(1) }, map[Counter]uint64{Dispatches: 1})
	r.want("dispatches of CPU 1", r.s.Counter(1, Dispatches), uint64(1))
	r.counted(func() { r.park(1) }, map[Counter]uint64{Halts: 1})
	r.want("halts of CPU 1", r.s.Counter(1, Halts), uint64(2))
	r.counted(func() { r.s.Wake(0, r.now, b, &r.a) }, map[Counter]uint64{Wakes: 1, Kicks: 1, Crossings: 1})
	r.counted(func() { r.enter(1) }, map[Counter]uint64{Dispatches: 1})
	r.counted(func() { r.park(0) }, map[Counter]uint64{Halts: 1})
	r.s.LeaveIdle(0, r.now) // a timer's interrupt wakes a
	r.counted(func() { r.s.Wake(0, r.now, a, &r.a) }, map[Counter]uint64{Wakes: 1, WakesLocal: 1})
	r.counted(func() { r.enter(0) }, map[Counter]uint64{Dispatches: 1})
}

// A CPU that leaves its sleep late is a candidate from then on, before its Pass.
func TestACPUThatLeavesItsSleepAnswers(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.Fair)
	r.pin(1, process.Fair, 0)
	r.now += 2 * patience
	flags := func() uint8 {
		var raw Raw
		r.s.read(1, r.now, false, &raw)
		return raw.Flags & RawAnswering
	}
	r.want("of a CPU that is silent since its kick, the flag", flags(), uint8(0))
	r.s.LeaveIdle(1, r.now)
	r.want("of one that left its sleep, the flag", flags(), uint8(RawAnswering))
}
