package main

import (
	"errors"
	"sync/atomic"
	"time"

	"hearth/sys"
)

// futexes has wakes, requeues and timeouts meet at the same waiters. The accounts
// must agree: a wait ends once, by a wake that counts it or by its time.
func futexes(c *contest) error {
	woken, timedOut := c.good("woken"), c.good("timed_out")
	moved, early := c.good("moved"), c.wrong("early")
	unaccounted := c.wrong("unaccounted")
	var words [2]uint32
	var counted, waiting atomic.Int64
	const waiters = 8
	waiting.Store(waiters)
	t := &team{c: c}
	for i := range waiters {
		t.spawn(nil, func() {
			defer waiting.Add(-1)
			d := newDice(i)
			for round := 0; c.more(round); round++ {
				timeout := time.Duration(d.below(200)) * time.Microsecond
				if d.below(4) == 0 {
					timeout = sys.Forever
				}
				began := sys.Now()
				switch err := sys.FutexWait(&words[d.below(8)/7], 0, timeout); {
				case err == nil:
					woken.Add(1)
				case errors.Is(err, sys.ErrTimeout):
					timedOut.Add(1)
					if timeout < 0 || sys.Now()-began < timeout {
						early.Add(1)
					}
				default:
					t.failed(err)
				}
			}
		})
	}
	for i := range 2 {
		t.spawn(nil, func() {
			d := newDice(100 + i)
			for waiting.Load() > 0 {
				pause(d.below(1000))
				relax()
				counted.Add(int64(sys.FutexWake(&words[d.below(2)], 1+d.below(3))))
				n, err := sys.FutexRequeue(&words[0], 0, 1+d.below(3), &words[1], 0)
				if moved.Add(int64(n)); err != nil {
					t.failed(err)
				}
				if d.below(4) == 0 {
					sys.Yield()
				}
			}
		})
	}
	err := t.join()
	unaccounted.Store(counted.Load() - woken.Load())
	return err
}
