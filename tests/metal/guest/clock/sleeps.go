package main

import (
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"

	"hearth/sys"
)

// lengths are those of the sleeps: on both sides of the shortest alarm that the
// kernel sets, 10 µs, and up to some slices.
var lengths = []time.Duration{
	1, 100, time.Microsecond, 9 * time.Microsecond, 10 * time.Microsecond, 11 * time.Microsecond,
	100 * time.Microsecond, 999 * time.Microsecond, 5 * time.Millisecond, 20 * time.Millisecond,
}

// sleeps runs two sleepers on each CPU, one that goes through the lengths upwards
// and one downwards, so that alarms of one CPU overtake each other.
func sleeps() error {
	var early, ended atomic.Int64
	var late atomic.Int64
	sleeper := func(backwards bool) {
		for i := range rounds * len(lengths) {
			length := lengths[i%len(lengths)]
			if backwards {
				length = lengths[len(lengths)-1-i%len(lengths)]
			}
			for _, sleep := range []func(time.Duration) error{nanosleep, waitInVain} {
				start := ask(monotonic)
				err := sleep(length)
				took := ask(monotonic) - start
				if err != nil || took < length {
					early.Add(1)
					fmt.Println("a sleep of", length, "took", took, err)
				}
				ended.Add(1)
				for was := late.Load(); int64(took-length) > was && !late.CompareAndSwap(was, int64(took-length)); was = late.Load() {
				}
			}
		}
	}
	err := onEveryCPU(func(cpu int) {
		other, err := sys.Spawn(func() { sleeper(true) })
		if err != nil {
			early.Add(1)
			fmt.Println("spawn:", err)
			return
		}
		sleeper(false)
		if _, err := other.Join(); err != nil {
			early.Add(1)
		}
	})
	online := sys.Online()
	if want := int64(online.Count() * 4 * rounds * len(lengths)); ended.Load() != want {
		err = errors.Join(err, fmt.Errorf("%d sleeps of %d ended", ended.Load(), want))
	}
	fmt.Println("clock:", ended.Load(), "sleeps,", early.Load(), "early, longest", time.Duration(late.Load()), "late")
	if early.Load() != 0 {
		err = errors.Join(err, fmt.Errorf("%d sleeps ended early", early.Load()))
	}
	return err
}

func nanosleep(d time.Duration) error {
	t := syscall.NsecToTimespec(int64(d))
	return syscall.Nanosleep(&t, nil)
}

// waitInVain waits for a wake that never comes.
func waitInVain(d time.Duration) error {
	var word uint32
	if err := sys.FutexWait(&word, 0, d); !errors.Is(err, sys.ErrTimeout) {
		return fmt.Errorf("a futex wait ended with %w", err)
	}
	return nil
}
