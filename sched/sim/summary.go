package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/sched"
	"time"
)

// Spawn makes the placement by a scan, whose view the oracle judges, and before that
// one by summaries, as the kernel does. While a free CPU is allowed, or all that are
// can be read one by one, both must find the same.
func (e *real) Spawn(c cpu.ID, now time.Duration, req *sched.Request, v *sched.View, a *sched.Actions) (sched.Placement, bool) {
	found, some := e.Place(c, now, req, nil)
	p, ok := e.Scheduler.Spawn(c, now, req, v, a)
	if some != ok || ok && mustAgree(v) && (found.CPU != p.CPU || found.Key != p.Key) {
		e.differs = fmt.Sprintf("summaries: a spawn from CPU %d finds CPU %d with key %v, a scan CPU %d with %v", c, found.CPU, found.Key, p.CPU, p.Key)
	}
	return p, ok
}

// readOneByOne is how many allowed CPUs a placement reads if none is free.
const readOneByOne = 64

func mustAgree(v *sched.View) bool {
	allowed := 0
	for i := range v.CPUs[:v.N] {
		r := &v.CPUs[i]
		if r.Flags&sched.RawAllowed == 0 {
			continue
		}
		if allowed++; r.Free() {
			return true
		}
	}
	return allowed <= readOneByOne
}

// differed returns how a search and a scan have differed since it was asked last, ""
// if they did not.
func (e *real) differed() string {
	d := e.differs
	e.differs = ""
	return d
}
