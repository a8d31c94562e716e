package sched

import (
	"hearth/process"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The heap against a sorted list, through any sequence of settings, cancellations
// and expiries.
func TestAlarmsExpireByTimeAndEqualOnesByAge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := new(Scheduler)
		type entry struct {
			id process.ContextID
			at time.Duration
		}
		var model []entry // earliest first, equal ones by age
		free := []process.ContextID{}
		for id := process.ContextID(1); id <= 40; id++ {
			free = append(free, id)
			s.Table.Context(id) // of the zero table: state New
		}
		steps := rapid.IntRange(1, 120).Draw(t, "steps")
		for range steps {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0, 1:
				if len(free) == 0 {
					continue
				}
				e := entry{free[0], time.Duration(rapid.IntRange(0, 12).Draw(t, "at"))}
				free = free[1:]
				s.arm(0, e.id, e.at)
				i := 0
				for i < len(model) && model[i].at <= e.at {
					i++
				}
				model = slices.Insert(model, i, e)
			case 2:
				if len(model) == 0 {
					continue
				}
				i := rapid.IntRange(0, len(model)-1).Draw(t, "which")
				s.disarm(0, model[i].id)
				free = append(free, model[i].id)
				model = slices.Delete(model, i, i+1)
			case 3:
				if len(model) == 0 {
					continue
				}
				s.disarm(0, s.locals[0].alarms.root)
				free = append(free, model[0].id)
				model = model[1:]
			}
			at, id := s.Due(0)
			if len(model) == 0 {
				if id != 0 {
					t.Fatalf("%d is due at %v, nothing is set", id, at)
				}
			} else if id != model[0].id || at != model[0].at {
				t.Fatalf("%d is due at %v, want %d at %v", id, at, model[0].id, model[0].at)
			}
		}
	})
}

func TestOnlyDueAlarmsOfBlockedContextsExpire(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	var ids []process.ContextID
	for d := range time.Duration(3) {
		ids = append(ids, r.start(0, process.Fair))
		r.s.Block(0, r.now, r.now+d)
	}
	r.s.Wake(1, r.now, ids[0], &r.a) // in transit; its alarm is still set
	for _, want := range []struct {
		after time.Duration
		id    process.ContextID
		due   bool
	}{{1, 0, true}, {1, ids[1], true}, {1, 0, false}, {2, ids[2], true}, {2, 0, false}} {
		id, due := r.s.Expired(0, r.now+want.after)
		r.want("what expires", id, want.id)
		r.want("whether one was due", due, want.due)
	}
}

func TestAWakeCancelsTheAlarm(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	id := r.start(0, process.Fair)
	r.s.Block(0, r.now, r.now+50)
	r.enter(0)
	r.s.Wake(1, r.now, id, &r.a)
	r.want("what runs", r.enter(0), id)
	if at, of := r.s.Due(0); of != 0 {
		t.Errorf("an alarm of %d is left, at %v", of, at)
	}
}

func TestUnblockTakesTheBlockBack(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	id := r.start(0, process.Fair)
	r.s.Block(0, r.now, r.now+50)
	r.s.Unblock(0)
	next, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("what runs on", next, id)
	r.want("the alarm", alarm, time.Duration(-1))
	defer func() {
		if recover() == nil {
			t.Error("a second Unblock is let through")
		}
	}()
	r.s.Unblock(0)
}
