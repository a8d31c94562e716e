package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
)

// Between the Pass that found nothing and EnterIdle, which looks at the inbox, even
// the most urgent post needs no kick.
func TestACPUThatIsAboutToSleepNeedsNoKick(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(1, process.Fair)
	r.start(0, process.Fair)
	r.s.Block(1, r.now, -1)
	if next, _ := r.s.Pass(1, r.now, &r.a); next != 0 {
		t.Fatalf("CPU 1 runs %d", next)
	}
	r.a.Reset()
	r.pin(1, process.RealTime, 0)
	r.kicked()
	if r.s.EnterIdle(1, r.now, &r.a) {
		t.Error("CPU 1 sleeps on what was posted")
	}
}

// A CPU that heeds nothing but what is more urgent than anything is kicked for a mask
// all the same.
func TestAMaskIsHeededByWhoeverRuns(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	r.start(0, process.RealTime)
	id := r.start(1, process.RealTime)
	behind := r.pin(1, process.RealTime, 0)
	r.enter(1)
	r.release(behind)
	other := r.pin(1, process.RealTime, 0)
	r.release(other)
	r.enter(1)
	r.a.Reset()
	r.want("what CPU 1 heeds", int(r.s.handles[1].heed.Load()), int(bandRealTime))
	m := only(cpu.ID(0))
	r.s.SetMask(0, r.now, id, &m, &r.a)
	r.kicked(1)
}
