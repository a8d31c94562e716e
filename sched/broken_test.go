package sched

import (
	"hearth/cpu"
	"hearth/process"
	"strings"
	"testing"
	"time"
)

// Each rule is broken by hand, and must be named.
func TestABrokenRuleIsNamed(t *testing.T) {
	for _, test := range []struct {
		rule  string
		wreck func(r *rig, l *local, queued, armed process.ContextID)
	}{
		{"", func(*rig, *local, process.ContextID, process.ContextID) {}},
		{"run-queue: the first one", func(r *rig, l *local, id, armed process.ContextID) {
			r.s.nodes[id].links[byTurn].parent = armed
		}},
		{"heap: a parent", func(r *rig, _ *local, id, _ process.ContextID) { r.s.nodes[id].links[byTurn].left = id }},
		{"run-queue: real-time", func(r *rig, l *local, id, _ process.ContextID) {
			r.s.nodes[id].band, l.queues[bandRealTime], l.queues[bandFair] = bandRealTime, l.queues[bandFair], heap{}
			r.s.nodes[id].links[byTurn].key = 1
		}},
		{"one-place: what is in a run queue", func(r *rig, _ *local, id, _ process.ContextID) {
			r.s.Table.SetState(id, process.Ready, process.InTransit)
		}},
		{"one-place: what is in a run queue", func(r *rig, _ *local, id, _ process.ContextID) { r.s.Table.Context(id).SetHome(1) }},
		{"run-queue: what is in it", func(r *rig, _ *local, id, _ process.ContextID) { r.s.nodes[id].flags &^= flagQueued }},
		{"run-queue: what is in it", func(r *rig, _ *local, id, _ process.ContextID) { r.s.nodes[id].band = bandRealTime }},
		{"movable", func(_ *rig, l *local, _, _ process.ContextID) { l.movable++ }},
		{"movable", func(_ *rig, l *local, _, _ process.ContextID) { l.roaming++ }},
		{"load", func(r *rig, _ *local, _, _ process.ContextID) { r.s.handles[0].dropLoad(bandFair) }},
		{"one-place: the current context is Running", func(r *rig, l *local, _, _ process.ContextID) {
			r.s.Table.SetState(l.current, process.Running, process.Ready)
		}},
		{"one-place: the current context is in no queue", func(r *rig, l *local, _, _ process.ContextID) {
			r.s.nodes[l.current].flags |= flagArmed
		}},
		{"alarms: the first one", func(r *rig, l *local, id, _ process.ContextID) {
			r.s.nodes[l.alarms.root].links[byDeadline].parent = id
		}},
		{"alarms: what is in the heap", func(r *rig, _ *local, _, id process.ContextID) { r.s.nodes[id].flags = 0 }},
		{"heap: a parent", func(r *rig, _ *local, _, id process.ContextID) { r.s.nodes[id].links[byDeadline].key = 0 }},
		{"heap: ranks", func(r *rig, _ *local, _, id process.ContextID) { r.s.nodes[id].links[byDeadline].rank++ }},
		{"alarms: an alarm is set", func(r *rig, _ *local, _, id process.ContextID) { r.s.Table.Context(id).SetHome(1) }},
	} {
		t.Run(test.rule, func(t *testing.T) {
			r := newRig(t, shape(t, "L(1,1)"))
			var armed process.ContextID
			for d := range time.Duration(5) {
				armed = r.start(0, process.Fair)
				r.s.Block(0, r.now, r.now+d)
			}
			r.start(0, process.Fair)
			id := r.pin(0, process.Fair, cpu.None)
			r.s.Pass(0, r.now, &r.a)
			test.wreck(r, &r.s.locals[0], id, armed)
			if rule := r.s.Broken(0); !names(rule, test.rule) {
				t.Errorf("the rule named is %q, want %q", rule, test.rule)
			}
		})
	}
}

// names reports whether a rule is the one that begins so, "" being none.
func names(rule, want string) bool {
	if want == "" {
		return rule == ""
	}
	return strings.HasPrefix(rule, "sched: "+want)
}

func TestABrokenPassIsNamed(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	r.start(0, process.Fair)
	r.s.Block(0, r.now, r.now+7)
	r.start(0, process.Fair)
	l := &r.s.locals[0]
	want := func(rule string, alarm time.Duration) {
		t.Helper()
		if got := r.s.BrokenPass(0, r.now, alarm); !names(got, rule) {
			t.Errorf("alarm %v: the rule named is %q, want %q", alarm, got, rule)
		}
	}
	want("", r.now+7)
	want("alarm-armed: the one-shot fires when the first", r.now+8)
	want("alarm-armed: the one-shot fires when the first", -1)
	r.s.disarm(0, l.alarms.root)
	want("", -1)
	r.pin(0, process.Fair, cpu.None)
	r.s.Pass(0, r.now, &r.a)
	want("", l.sliceEnd)
	want("alarm-armed: the one-shot fires when the slice", l.sliceEnd+1)
	l.arriving = 1
	want("alarm-armed: the one-shot fires at once", l.sliceEnd)
	l.arriving = 0
	l.movable++
	want("surplus", l.sliceEnd)
	l.movable--
	l.queues[bandRealTime].root = 1
	want("urgent-first", l.sliceEnd)
}

func TestABrokenSleepIsNamed(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	if rule := r.s.BrokenIdle(0); rule != "" {
		t.Error(rule)
	}
	r.s.locals[0].arriving = 1
	if rule := r.s.BrokenIdle(0); !names(rule, "work-conserved") {
		t.Error(rule)
	}
	r.s.locals[0].arriving = 0
	r.s.handles[0].idle.Store(uint32(Busy))
	if rule := r.s.BrokenIdle(0); !names(rule, "idle") {
		t.Error(rule)
	}
}
