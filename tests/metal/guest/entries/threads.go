package main

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"hearth/sys"
)

// crowd is threads that wait on one word until it changes.
type crowd struct {
	word, other uint32
	ready       atomic.Int32
	back        atomic.Int32
	threads     []sys.Thread
}

func gather(n int, wait func(c *crowd)) (*crowd, error) {
	c := &crowd{}
	for i := range n {
		t, err := sys.Spawn(func() {
			c.ready.Add(1)
			wait(c)
			c.back.Add(1)
		})
		if err != nil {
			return nil, fmt.Errorf("thread %d: %w", i, err)
		}
		c.threads = append(c.threads, t)
	}
	for _, t := range c.threads {
		for !blocked(t) {
			time.Sleep(time.Millisecond)
		}
	}
	return c, nil
}

func blocked(t sys.Thread) bool {
	status, err := t.Status()
	return err == nil && status.State == sys.Blocked
}

func (c *crowd) join() error {
	for _, t := range c.threads {
		if _, err := t.Join(); err != nil {
			return err
		}
	}
	if n := int(c.back.Load()); n != len(c.threads) {
		return fmt.Errorf("%d of %d threads came back", n, len(c.threads))
	}
	return nil
}

func waitOnWord(c *crowd) {
	for atomic.LoadUint32(&c.word) == 0 {
		_ = sys.FutexWait(&c.word, 0, -1)
	}
}

// wakeAll has one call wake every thread.
func wakeAll(n int) error {
	c, err := gather(n, waitOnWord)
	if err != nil {
		return err
	}
	atomic.StoreUint32(&c.word, 1)
	if woken := sys.FutexWake(&c.word, math.MaxInt32); woken != n {
		return fmt.Errorf("%d threads were woken, %d waited", woken, n)
	}
	return c.join()
}

// requeueAll has one call move every thread but one to another word.
func requeueAll(n int) error {
	c, err := gather(n, func(c *crowd) {
		if err := sys.FutexWait(&c.word, 0, -1); err != nil {
			fmt.Println(err)
		}
	})
	if err != nil {
		return err
	}
	moved, err := sys.FutexRequeue(&c.word, 1, math.MaxInt32, &c.other, 0)
	if err != nil || moved != n {
		return fmt.Errorf("%d threads were woken and moved, %d waited: %v", moved, n, err)
	}
	if woken := sys.FutexWake(&c.other, math.MaxInt32); woken != n-1 {
		return fmt.Errorf("%d threads were woken, %d were moved", woken, n-1)
	}
	return c.join()
}

// oneDeadline has every wait end at the same moment.
func oneDeadline(n int) error {
	// Far enough away for all to be gathered before.
	until := sys.Now() + time.Duration(n)*2*time.Millisecond + time.Second
	var early atomic.Int32
	c, err := gather(n, func(c *crowd) {
		if err := sys.FutexWaitUntil(&c.word, 0, until); !errors.Is(err, sys.ErrTimeout) || sys.Now() < until {
			early.Add(1)
		}
	})
	if err != nil {
		return err
	}
	if err := c.join(); err != nil || early.Load() != 0 {
		return fmt.Errorf("%d waits did not end at their time: %v", early.Load(), err)
	}
	return nil
}

// changeMasks gives every waiting thread another mask, then wakes them all, so
// that each has to leave its home.
func changeMasks(n int) error {
	c, err := gather(n, waitOnWord)
	if err != nil {
		return err
	}
	top, err := sys.ReadTopology()
	if err != nil {
		return err
	}
	var last sys.Mask
	last.Set(len(top.CPUs) - 1)
	for _, t := range c.threads {
		if err := t.SetAffinity(&last); err != nil {
			return err
		}
	}
	atomic.StoreUint32(&c.word, 1)
	sys.FutexWake(&c.word, math.MaxInt32)
	return c.join()
}

// endCarriers ends many Ms: a goroutine that ends while it is locked to its thread
// takes the thread with it.
func endCarriers(n int) error {
	var wg sync.WaitGroup
	for range min(n, 300) {
		wg.Go(func() { lockedEnd(&wg) })
	}
	wg.Wait()
	return nil
}
