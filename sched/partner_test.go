package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// couple makes two threads whose home is CPU 0 of two; the first runs, the second is
// blocked, CPU 1 sleeps.
func couple(t *testing.T) (r *rig, waker, woken process.ContextID) {
	t.Helper()
	r = newRig(t, shape(t, "L(2)"))
	woken = r.start(0, process.Fair)
	r.park(0)
	waker = r.start(0, process.Fair)
	r.enter(0)
	r.a.Reset()
	return r, waker, woken
}

func TestAPartnerStaysAtHomeIfItsWakerBlocksAtOnce(t *testing.T) {
	r, waker, woken := couple(t)
	for range 10 {
		r.s.Wake(0, r.now, woken, &r.a)
		r.want("the waker goes on", r.enter(0), waker)
		r.want("what CPU 0 offers", r.s.Look(0).Surplus, uint32(0))
		r.now += patienceForPartner / 2
		r.park(0)
		r.want("what runs then", r.s.Current(0), woken)
		waker, woken = woken, waker
	}
	r.kicked()
	r.want("migrations", r.s.Total(Migrations), uint64(0))
}

func TestAPartnerWhoseWakerRunsOnIsSentToASleeper(t *testing.T) {
	r, _, woken := couple(t)
	r.s.Wake(0, r.now, woken, &r.a)
	_, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("the alarm", alarm, r.now+patienceForPartner)
	r.now = alarm - 1
	r.enter(0)
	r.kicked()
	r.now = alarm
	r.enter(0)
	r.kicked(1)
	r.want("what CPU 1 runs", r.enter(1), woken)
	r.want("what CPU 0 offers", r.s.Look(0).Surplus, uint32(0))
}

func TestAPartnerIsNotHandedOverWhileItWaits(t *testing.T) {
	r, _, woken := couple(t)
	r.s.Wake(0, r.now, woken, &r.a)
	r.s.request(1, r.now, 0, 1, 0, &r.a)
	r.a.Reset()
	r.enter(0)
	r.want("its home", r.home(woken), cpu.ID(0))
	r.kicked()
}

func TestWorkThatIsHandedOutHasNoPartner(t *testing.T) {
	for what, wake := range map[string]func(r *rig, first, second process.ContextID){
		"two wakes": func(r *rig, first, second process.ContextID) {
			r.s.Wake(0, r.now, first, &r.a)
			r.enter(0)
			r.s.Wake(0, r.now, second, &r.a)
		},
		"two wakes of one entry": func(r *rig, first, second process.ContextID) {
			r.s.Wake(0, r.now, first, &r.a)
			r.s.Wake(0, r.now, second, &r.a)
		},
		"another CPU's": func(r *rig, first, second process.ContextID) {
			r.s.Wake(1, r.now, first, &r.a)
			r.s.Wake(1, r.now, second, &r.a)
		},
	} {
		r := newRig(t, shape(t, "L(3)"))
		first := r.start(0, process.Fair)
		r.park(0)
		second := r.start(0, process.Fair)
		r.park(0)
		r.start(0, process.Fair)
		r.enter(0)
		wake(r, first, second)
		r.enter(0)
		r.enter(0)
		if r.home(first) == 0 || r.home(second) == 0 {
			t.Errorf("%s: the woken ones are on CPUs %d and %d, CPUs 1 and 2 sleep", what, r.home(first), r.home(second))
		}
	}
}

func TestWhatAnAlarmWakesIsNobodysPartner(t *testing.T) {
	r := newRig(t, shape(t, "L(2)"))
	id := r.start(0, process.Fair)
	r.s.Block(0, r.now, r.now+time.Millisecond)
	r.enter(0)
	r.start(0, process.Fair)
	r.now += time.Millisecond
	r.s.Expired(0, r.now)
	r.s.Wake(0, r.now, id, &r.a)
	r.enter(0)
	r.want("its home", r.home(id), cpu.ID(1))
}

func TestWorkThatWaitsBesideAPartnerIsPushedAlone(t *testing.T) {
	r, _, woken := couple(t)
	r.s.Wake(0, r.now, woken, &r.a)
	r.enter(0)
	other := r.pin(0, process.Fair, 1)
	r.release(other)
	r.enter(0)
	r.want("the home of the other one", r.home(other), cpu.ID(1))
	r.want("the partner's home", r.home(woken), cpu.ID(0))
}

func TestAPostBesideAPartnerIsHeeded(t *testing.T) {
	r, _, woken := couple(t)
	r.s.Wake(0, r.now, woken, &r.a)
	r.enter(0)
	r.a.Reset()
	r.pin(0, process.Fair, 1)
	r.kicked(0)
}

func TestWhatIsWokenElsewhereIsNoPartner(t *testing.T) {
	r, waker, _ := couple(t)
	far := r.start(1, process.Fair)
	r.park(1)
	r.s.Wake(0, r.now, far, &r.a)
	next, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("what CPU 0 runs", next, waker)
	r.want("its alarm", alarm, time.Duration(-1))
}

func TestAPartnerThatRanIsNoPartner(t *testing.T) {
	r, waker, woken := couple(t)
	m := only(0)
	for _, id := range []process.ContextID{waker, woken} {
		r.s.Table.Context(id).SetMask(&m)
	}
	r.s.Wake(0, r.now, woken, &r.a)
	r.enter(0)
	r.s.Yield(0, r.now)
	r.want("what runs", r.enter(0), woken)
	_, alarm := r.s.Pass(0, r.now, &r.a)
	if alarm <= r.now+patienceForPartner {
		t.Errorf("the alarm is at %v from now, although nobody waits for a waker", alarm-r.now)
	}
}

func TestAPartnerIsSentAwayThoughNothingElseCouldBe(t *testing.T) {
	r := newRig(t, shape(t, "L(3)"))
	woken := r.start(0, process.Fair)
	r.park(0)
	r.start(0, process.Fair)
	r.start(2, process.Fair)
	r.s.Wake(0, r.now, woken, &r.a)
	r.enter(0)
	other := r.pin(0, process.Fair, cpu.None)
	m := only(0, 2)
	r.s.Table.Context(other).SetMask(&m)
	r.enter(0)
	r.want("the home of what may go to CPU 2 alone", r.home(other), cpu.ID(0))
	r.now += patienceForPartner
	r.enter(0)
	r.want("the partner's home", r.home(woken), cpu.ID(1))
}
