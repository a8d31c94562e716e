package main

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hearth/sys"
)

// contest is one race: how long it goes on, and what it counted.
type contest struct {
	name   string
	spare  time.Duration
	rounds int
	alone  bool // no other race runs at the same time

	began    time.Time
	progress atomic.Int64
	ended    atomic.Bool
	counters []counter
}

// counter is one thing that a race counted. What must not happen has the sign wrong.
type counter struct {
	name  string
	n     *atomic.Int64
	wrong bool
}

// hold lets the race happen, says what came of it and whether it went well.
func (c *contest) hold(run func(*contest) error) bool {
	c.began = time.Now()
	go c.watch()
	err := run(c)
	c.ended.Store(true)
	var line strings.Builder
	for _, n := range c.counters {
		fmt.Fprintf(&line, " %s=%d", n.name, n.n.Load())
		if n.wrong && n.n.Load() != 0 && err == nil {
			err = fmt.Errorf("%d %s", n.n.Load(), n.name)
		}
	}
	fmt.Printf("race %s%s\n", c.name, line.String())
	if err != nil {
		fmt.Println("claim", c.name, "FAILED", err)
		return false
	}
	fmt.Println("claim", c.name, "ok")
	return true
}

// more reports whether the race goes on after so many rounds.
func (c *contest) more(round int) bool {
	c.progress.Add(1)
	if c.rounds > 0 {
		return round < c.rounds
	}
	return time.Since(c.began) < c.spare
}

// good and wrong make counters.
func (c *contest) good(name string) *atomic.Int64  { return c.count(name, false) }
func (c *contest) wrong(name string) *atomic.Int64 { return c.count(name, true) }

func (c *contest) count(name string, wrong bool) *atomic.Int64 {
	n := new(atomic.Int64)
	c.counters = append(c.counters, counter{name, n, wrong})
	return n
}

// stuck is without any progress: a wake or a signal was lost.
const stuck = 30 * time.Second

// watch ends the program when the race stands still.
func (c *contest) watch() {
	last, since := int64(-1), time.Now()
	for !c.ended.Load() {
		if now := c.progress.Load(); now != last {
			last, since = now, time.Now()
		}
		if time.Since(since) > stuck {
			fmt.Printf("claim %s FAILED stands still after %d steps\n", c.name, last)
			debug.SetTraceback("all")
			panic("where everything stands:")
		}
		time.Sleep(stuck / 100)
	}
}

// team is threads that run until the race is over.
type team struct {
	c       *contest
	threads []sys.Thread
	once    sync.Once
	err     error
}

// spawn adds a thread, on any CPU or on those of the mask.
func (t *team) spawn(mask *sys.Mask, fn func()) {
	thread, err := sys.SpawnWith(sys.Options{Mask: mask}, fn)
	if err != nil {
		t.failed(err)
		return
	}
	t.threads = append(t.threads, thread)
}

func (t *team) failed(err error) { t.once.Do(func() { t.err = err }) }

// join waits for all of them and returns the first error.
func (t *team) join() error {
	for _, thread := range t.threads {
		if _, err := thread.Join(); err != nil {
			t.failed(err)
		}
	}
	return t.err
}

// dice is a small generator of its own for each thread: xorshift.
type dice uint64

func (d *dice) below(n int) int {
	x := uint64(*d)
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*d = dice(x)
	return int(x % uint64(n))
}

func newDice(seed int) dice { return dice(uint64(seed+1) * 0x9e3779b97f4a7c15) }

// oneOf returns the mask of one CPU.
func (d *dice) oneOf(n int) sys.Mask { return sys.MaskOf(d.below(n)) }
