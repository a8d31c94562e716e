package sched

import (
	"hearth/cpu"
	"testing"
	"time"
)

// CPU 1 makes no pass for a second. What is queued there waits for it, since nobody
// else may touch its queue; the request of a CPU that went idle meanwhile is answered
// when it runs on.
func TestAStalledCPUHandsOverWhenItRunsOn(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	waits := r.crowd(1, 1)[0]
	runs := r.s.Current(1)
	r.s.takeInbox(1, r.now, &r.a)
	r.s.locals[1].budget = passBudget
	r.s.takeInbox(1, r.now, &r.a)
	r.s.publish(1)
	r.a.Reset()
	r.sleeps(0, time.Microsecond)
	r.want("who asks CPU 1 for work", r.s.Look(1).Pull, cpu.ID(0))
	r.kicked(1)
	r.now += patience
	r.sleeps(0, time.Second)
	r.want("the home of what waits", r.home(waits), cpu.ID(1))
	r.a.Reset()
	r.want("what CPU 1 runs, since the slice is long over", r.enter(1), waits)
	r.kicked(0)
	r.want("what CPU 0 runs", r.enter(0), runs)
}
