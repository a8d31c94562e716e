package main

import (
	"sync/atomic"
	"time"

	"hearth/sys"
)

// target is a thread whose mask others change. changes is odd while one does; so a
// thread that finds it the same and even before and after a look at its CPU was
// meant to be where the mask says.
type target struct {
	thread  sys.Thread
	changes atomic.Uint32
	cpu     atomic.Int32
	word    uint32
}

// masks has masks of one CPU given to threads that run, wait for a CPU, are blocked
// or on their way from one CPU to another. From its next kernel entry on each is
// where it may be.
func masks(c *contest) error {
	changes, looks := c.good("changes"), c.good("looks")
	strayed := c.wrong("strayed")
	var over atomic.Bool
	targets := make([]target, 6)
	t := &team{c: c}
	for i := range targets {
		me := &targets[i]
		me.cpu.Store(-1)
		t.spawn(nil, func() {
			d := newDice(i)
			for !over.Load() {
				me.spend(i%3, &d)
				if i%3 == 0 && d.below(16) == 0 {
					me.move(0, d.below(cpus), strayed)
					changes.Add(1)
				}
				me.look(looks, strayed)
			}
		})
		me.thread = t.threads[len(t.threads)-1]
	}
	t.spawn(nil, func() {
		d := newDice(99)
		for round := 0; c.more(round); round++ {
			at := &targets[d.below(len(targets)/3)*3+1+d.below(2)]
			at.move(at.thread, d.below(cpus), nil)
			changes.Add(1)
			sys.FutexWake(&at.word, 1)
			pause(d.below(2000))
			relax()
		}
		over.Store(true)
	})
	return t.join()
}

// spend passes the time: computing, giving way, or waiting for a wake or for a time
// that may come at the same moment.
func (me *target) spend(way int, d *dice) {
	switch way {
	case 0:
		pause(d.below(3000))
		relax()
		sys.Null()
	case 1:
		pause(d.below(300))
		sys.Yield()
	case 2:
		_ = sys.FutexWait(&me.word, 0, time.Duration(d.below(100))*time.Microsecond)
	}
}

// move gives a thread, 0 for the caller, another CPU. The caller must be there at once.
func (me *target) move(thread sys.Thread, cpu int, strayed *atomic.Int64) {
	me.changes.Add(1)
	mask := sys.MaskOf(cpu)
	if thread.SetAffinity(&mask) != nil {
		panic("an online CPU is refused")
	}
	me.cpu.Store(int32(cpu))
	me.changes.Add(1)
	if strayed != nil && sys.CurrentCPU() != cpu {
		strayed.Add(1)
	}
}

// look compares where the thread is with where it should be.
func (me *target) look(looks, strayed *atomic.Int64) {
	before := me.changes.Load()
	want := me.cpu.Load()
	sys.Null() // a kernel entry that began after the change
	at := sys.CurrentCPU()
	if before&1 != 0 || want < 0 || me.changes.Load() != before {
		return
	}
	if looks.Add(1); at != int(want) {
		strayed.Add(1)
	}
}
