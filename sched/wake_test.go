package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
)

func TestAWakeGoesHome(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	id := r.start(3, process.Fair)
	r.start(0, process.Fair)
	r.park(3)
	r.a.Reset()
	r.s.Wake(0, r.now, id, &r.a)
	r.want("the home", r.s.Table.Context(id).Home(), cpu.ID(3))
	r.kicked(3)
	r.want("what CPU 3 runs", r.enter(3), id)
	r.want("wakes", r.s.Counter(0, Wakes), uint64(1))
	r.want("local wakes", r.s.Counter(0, WakesLocal), uint64(0))
}

func TestAWakeAtHomeKicksNobody(t *testing.T) {
	r := newRig(t, shape(t, "L(1)"))
	id := r.start(0, process.Fair)
	r.s.Block(0, r.now, r.now)
	r.s.Expired(0, r.now)
	r.s.Wake(0, r.now, id, &r.a)
	r.kicked()
	r.want("what runs", r.enter(0), id)
	r.want("local wakes", r.s.Counter(0, WakesLocal), uint64(1))
}

// Of contexts that slept long none claims more than another.
func TestWokenContextsRunInTheOrderOfTheirWakes(t *testing.T) {
	for _, class := range []process.Class{process.RealTime, process.Fair, process.Background} {
		r := newRig(t, shape(t, "L(1,1)"))
		var ids []process.ContextID
		for range 4 {
			ids = append(ids, r.start(0, class))
			r.park(0)
		}
		r.start(1, process.Fair)
		for range 4 { // the clock goes on
			r.start(0, class)
			r.now += Slice
			r.park(0)
			r.start(0, class)
			r.park(0)
		}
		for _, i := range []int{2, 0, 3, 1} {
			m := only(0)
			r.s.Table.Context(ids[i]).SetMask(&m)
			r.s.Wake(1, r.now, ids[i], &r.a)
		}
		r.s.LeaveIdle(0, r.now)
		r.enter(0)
		for _, i := range []int{2, 0, 3, 1} {
			r.want("what runs", r.s.Current(0), ids[i])
			r.park(0)
		}
	}
}

func TestOnlyABlockedContextIsWoken(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	id := r.start(0, process.Fair)
	defer func() {
		if recover() == nil {
			t.Error("a running context was woken")
		}
	}()
	r.s.Wake(1, r.now, id, &r.a)
}

func TestAnExitedContextHasNoHome(t *testing.T) {
	r := newRig(t, shape(t, "L(1,1)"))
	id := r.start(0, process.Fair)
	r.s.Vacate(0)
	r.s.Table.Exit(r.s.Table.Context(id).Thread(), 0)
	r.s.Exit(0, r.now)
	x := r.s.Table.Context(id)
	if x.Home() != cpu.None || r.s.Homes(image, 0) != 0 || r.s.CoreHomes(image, 0) != 0 || x.State() != process.Exited {
		t.Errorf("home %d, homes %d, state %v", x.Home(), r.s.Homes(image, 0), x.State())
	}
	r.want("what runs", r.enter(0), process.ContextID(0))
}

func TestAContextFromTheReserveIsSpawnedAgain(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)"))
	r.start(0, process.Fair)
	id := r.start(3, process.Fair)
	tab := &r.s.Table
	r.s.Vacate(3)
	tab.Exit(tab.Context(id).Thread(), 0)
	r.s.Block(3, r.now, -1)
	tab.PushReserve(image, id)
	r.enter(3)
	carrier := tab.PopReserve(image)
	tab.Occupy(tab.NewThread(image, process.Fair, &[16]byte{}, false), carrier)
	p := r.place(0, Request{Process: image, Near: true, Context: carrier})
	r.want("the carrier", carrier, id)
	r.want("its CPU", p.CPU, cpu.ID(1))
	r.want("homes of CPU 3", r.s.Homes(image, 3), 0)
	r.want("homes of CPU 1", r.s.Homes(image, 1), 1)
	r.want("what CPU 1 runs", r.enter(1), id)
}
