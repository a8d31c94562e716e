package main

import (
	"runtime"
	"sync/atomic"

	"hearth/sys"
)

// spawnExitJoin has threads start others everywhere, which end in every way while
// somebody joins them, or nobody.
func spawnExitJoin(c *contest) error {
	joined, detached, ended := c.good("joined"), c.good("detached"), new(atomic.Int64)
	codes, lost := c.wrong("wrong_codes"), c.wrong("lost")
	t := &team{c: c}
	for worker := range 2 * cpus {
		t.spawn(nil, func() {
			d := newDice(worker)
			for round := 0; c.more(round); round++ {
				options, want, end := life(&d)
				thread, err := sys.SpawnWith(options, func() { end(); ended.Add(1); leave(want) })
				if err != nil {
					t.failed(err)
					return
				}
				if options.Detached {
					detached.Add(1)
					continue
				}
				code, err := thread.Join()
				if err != nil {
					t.failed(err)
					return
				}
				if joined.Add(1); code != want {
					codes.Add(1)
				}
			}
		})
	}
	err := t.join()
	for err == nil && ended.Load() != joined.Load()+detached.Load() { // the watch ends it otherwise
		sys.Yield()
		relax()
	}
	lost.Store(joined.Load() + detached.Load() - ended.Load())
	return err
}

// life makes up how a thread starts, what it does and with which code it ends: one
// in eight ends its OS thread with it.
func life(d *dice) (options sys.Options, code int, act func()) {
	mask := d.oneOf(cpus)
	if d.below(2) == 0 {
		options.Mask = &mask
	}
	options.Relation = sys.Relation(d.below(2))
	options.Detached = d.below(4) == 0
	if d.below(8) == 0 {
		code = d.below(100)
	}
	spins, yields := d.below(300), d.below(3)
	return options, code, func() {
		pause(spins)
		relax()
		for range yields {
			sys.Yield()
		}
	}
}

func leave(code int) {
	if code != 0 {
		sys.Exit(code)
	}
}

// cloneExit has goroutines end while they are locked to their OS threads, which end
// with them: each needs a new one.
func cloneExit(c *contest) error {
	ended := c.good("ended")
	var begun int64
	for round := 0; c.more(round); round++ {
		const batch = 4
		var gate atomic.Int32
		for range batch {
			begun++
			go func() {
				runtime.LockOSThread()
				gate.Add(1)
				runtime.Gosched()
				ended.Add(1)
			}()
		}
		for gate.Load() != batch {
			runtime.Gosched()
			relax()
		}
	}
	for ended.Load() != begun {
		runtime.Gosched()
		relax()
	}
	return nil
}
