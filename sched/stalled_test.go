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
	here := r.enter(1)
	r.kicked(0)
	if there := r.enter(0); here == there || here+there != runs+waits {
		t.Errorf("CPU 1 runs %d and CPU 0 %d, want %d and %d on one each", here, there, runs, waits)
	}
}
