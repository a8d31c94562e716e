package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
)

// A caller that breaks a call's precondition is told which, instead of leaving a
// state that breaks something else later.
func TestAViolatedPreconditionIsNamed(t *testing.T) {
	for name, of := range map[string]struct {
		do   func(r *rig)
		want *fault
	}{
		"vacate without a context": {func(r *rig) { r.s.Vacate(0) }, &faultNoCurrent},
		"yield without a context":  {func(r *rig) { r.s.Yield(0, r.now) }, &faultNoCurrent},
		"exit without a context":   {func(r *rig) { r.s.Exit(0, r.now) }, &faultNoCurrent},
		"block without a context":  {func(r *rig) { r.s.Block(0, r.now, -1) }, &faultNoCurrent},
		"unblock without a block":  {func(r *rig) { r.s.Unblock(0) }, &faultUnblock},
		"unblock of what still runs": {func(r *rig) {
			r.start(0, process.Fair)
			r.s.Unblock(0)
		}, &faultUnblock},
		"unblock after another ran": {func(r *rig) {
			r.start(0, process.Fair)
			r.s.Block(0, r.now, -1)
			r.start(0, process.Fair)
			r.s.Unblock(0)
		}, &faultUnblock},
		"spawn of what runs": {func(r *rig) {
			id := r.start(0, process.Fair)
			r.place(0, Request{Context: id, Process: image})
		}, &faultSpawnState},
		"spawn of what waits to run": {func(r *rig) {
			r.start(0, process.Fair)
			id := r.pin(0, process.Fair, cpu.None)
			r.s.Pass(0, r.now, &r.a)
			r.place(0, Request{Context: id, Process: image})
		}, &faultSpawnState},
		"two alarms": {func(r *rig) {
			id := r.start(0, process.Fair)
			r.s.Block(0, r.now, r.now+Slice)
			r.s.arm(0, id, r.now+Slice)
		}, &faultArmed},
		"two queues": {func(r *rig) {
			r.start(0, process.Fair)
			id := r.pin(0, process.Fair, cpu.None)
			r.s.Pass(0, r.now, &r.a)
			r.s.enqueue(0, id)
		}, &faultQueued},
		"two owners": {func(r *rig) {
			id := r.start(0, process.Fair)
			r.s.change(id, process.Ready, process.Running)
		}, &faultNotOwner},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, shape(t, "L(2)"))
			defer func() {
				if got := recover(); got != any(of.want) {
					t.Errorf("panics with %v, want %v", got, of.want)
				}
			}()
			of.do(r)
		})
	}
}
