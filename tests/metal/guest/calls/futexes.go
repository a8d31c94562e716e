package main

import (
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"hearth/sys"
)

func futexChanged() error {
	v := uint32(7)
	start := time.Now()
	err := sys.FutexWait(&v, 8, time.Minute)
	_, requeued := sys.FutexRequeue(&v, 1, 1, new(uint32), 8)
	_, _, crooked := syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&v))+1, 0, 7, 0, 0, 0)
	return first(
		wrong(errors.Is(err, sys.ErrChanged), fmt.Sprint("wait: ", err)),
		wrong(errors.Is(requeued, sys.ErrRequeueChanged), fmt.Sprint("requeue: ", requeued)),
		wrong(time.Since(start) < 30*time.Second, "it waited"),
		is("wait at a crooked address", crooked, syscall.EINVAL))
}

func futexTimeout() error {
	var v uint32
	for _, wait := range []time.Duration{0, time.Microsecond, 300 * time.Microsecond, 5 * time.Millisecond, 30 * time.Millisecond} {
		start := sys.Now()
		relative := sys.FutexWait(&v, 0, wait)
		middle := sys.Now()
		absolute := sys.FutexWaitUntil(&v, 0, middle+wait)
		end := sys.Now()
		if !errors.Is(relative, sys.ErrTimeout) || !errors.Is(absolute, sys.ErrTimeout) || middle-start < wait || end-middle < wait {
			return fmt.Errorf("a wait of %v took %v (%v), and %v (%v) to a deadline", wait, middle-start, relative, end-middle, absolute)
		}
	}
	return nil
}

// sleepers are threads that wait once on a word and note that a wake ended it.
type sleepers struct {
	words   [2]uint32
	awake   atomic.Int32
	failed  atomic.Int32
	threads []sys.Thread
}

func startSleepers(n int) (*sleepers, error) {
	s := &sleepers{}
	for range n {
		t, err := sys.Spawn(func() {
			if sys.FutexWait(&s.words[0], 0, time.Minute) != nil {
				s.failed.Add(1)
			}
			s.awake.Add(1)
		})
		if err != nil {
			return nil, err
		}
		s.threads = append(s.threads, t)
	}
	// One that is not asleep yet would not be counted by a wake.
	for _, t := range s.threads {
		if !within(func() bool { status, err := t.Status(); return err == nil && status.State == sys.Blocked }) {
			return nil, errors.New("a waiter does not fall asleep")
		}
	}
	time.Sleep(5 * time.Millisecond) // on Linux it may be blocked on its way there
	return s, nil
}

// settled waits until so many have woken, and a little for one too many.
func (s *sleepers) settled(want int32) error {
	within(func() bool { return s.awake.Load() >= want })
	time.Sleep(2 * time.Millisecond)
	if got := s.awake.Load(); got != want {
		return fmt.Errorf("%d are awake, want %d", got, want)
	}
	return nil
}

func (s *sleepers) join() error {
	for _, t := range s.threads {
		if _, err := t.Join(); err != nil {
			return err
		}
	}
	return wrong(s.failed.Load() == 0, "a wait did not end by a wake")
}

func counted(what string, got, want int) error {
	if got == want {
		return nil
	}
	return fmt.Errorf("%s: %d, want %d", what, got, want)
}

func futexWakes() error {
	s, err := startSleepers(5)
	if err != nil {
		return err
	}
	return first(
		counted("wake of another word", sys.FutexWake(&s.words[1], 9), 0),
		counted("wake of none", sys.FutexWake(&s.words[0], 0), 0), s.settled(0),
		counted("wake of 1", sys.FutexWake(&s.words[0], 1), 1), s.settled(1),
		counted("wake of 2", sys.FutexWake(&s.words[0], 2), 2), s.settled(3),
		counted("wake of 9", sys.FutexWake(&s.words[0], 9), 2), s.settled(5),
		counted("wake of nobody", sys.FutexWake(&s.words[0], 9), 0),
		s.join())
}

func futexRequeue() error {
	s, err := startSleepers(5)
	if err != nil {
		return err
	}
	n, err := sys.FutexRequeue(&s.words[0], 1, 3, &s.words[1], 0)
	return first(
		err, counted("woken and moved", n, 4), s.settled(1),
		counted("wake where they were", sys.FutexWake(&s.words[0], 9), 1), s.settled(2),
		counted("wake of 1 where they are", sys.FutexWake(&s.words[1], 1), 1), s.settled(3),
		counted("wake of the rest", sys.FutexWake(&s.words[1], 9), 2), s.settled(5),
		s.join())
}
