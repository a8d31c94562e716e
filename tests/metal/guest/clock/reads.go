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

// Clocks of clock_gettime.
const (
	realTime  = 0
	monotonic = 1
)

// ask reads a clock by a system call, whatever other way there is.
func ask(clock uintptr) time.Duration {
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		panic(errno)
	}
	return time.Duration(t.Nano())
}

// bothWays takes turns between the runtime's way to the clock and the call: were
// they not the same to the nanosecond, one of two neighbours would be wrong.
func bothWays() error {
	last := sys.Now()
	for range reads / 10 {
		called := ask(monotonic)
		read := sys.Now()
		if called < last || read < called {
			return fmt.Errorf("the runtime read %d, then the call told %d, then the runtime read %d", last, called, read)
		}
		last = read
	}
	return nil
}

// timeOfDay holds the three ways to the real-time clock against each other, in
// turn again; gettimeofday counts microseconds.
func timeOfDay() error {
	last := time.Duration(time.Now().UnixNano())
	for range reads / 10 {
		called := ask(realTime)
		var v syscall.Timeval
		if err := syscall.Gettimeofday(&v); err != nil {
			return err
		}
		day := time.Duration(v.Nano())
		read := time.Duration(time.Now().UnixNano())
		if called < last || day < called.Truncate(time.Microsecond) || read < day {
			return fmt.Errorf("time.Now %d, the call %d, gettimeofday %d, time.Now %d", last, called, day, read)
		}
		last = read
	}
	var zone [2]int32
	var v syscall.Timeval
	before := ask(realTime)
	if _, _, errno := syscall.RawSyscall(syscall.SYS_GETTIMEOFDAY, uintptr(unsafe.Pointer(&v)), uintptr(unsafe.Pointer(&zone)), 0); errno != 0 {
		return errno
	}
	if day := time.Duration(v.Nano()); day < before.Truncate(time.Microsecond) || day > ask(realTime) || zone != [2]int32{} {
		return fmt.Errorf("the call gettimeofday told %d, zone %v, after %d", day, zone, before)
	}
	return nil
}

// neverBack lets a thread on each CPU hold its readings against the largest that
// any of them has seen, by turns with and without a call.
func neverBack() error {
	var latest atomic.Int64
	var back, total atomic.Int64
	err := onEveryCPU(func(int) {
		for i := range reads {
			seen := latest.Load()
			now := int64(sys.Now())
			if i%8 == 0 {
				now = int64(ask(monotonic))
			}
			if now < seen {
				if back.Add(1) == 1 {
					fmt.Println("time went back by", seen-now, "ns")
				}
			}
			for ; seen < now && !latest.CompareAndSwap(seen, now); seen = latest.Load() {
			}
		}
		total.Add(int64(reads))
	})
	fmt.Println("clock:", total.Load(), "reads,", back.Load(), "went back")
	if err == nil && back.Load() != 0 {
		err = fmt.Errorf("%d of %d readings are earlier than one that had been seen", back.Load(), total.Load())
	}
	return err
}

// onEveryCPU runs f in a thread pinned to each CPU, all at once.
func onEveryCPU(f func(cpu int)) error {
	online := sys.Online()
	defer sys.RaiseProcs(2 * online.Count())()
	var threads []sys.Thread
	var failed error
	for cpu := online.First(); cpu >= 0; cpu = online.Next(cpu) {
		mask := sys.MaskOf(cpu)
		t, err := sys.SpawnWith(sys.Options{Mask: &mask}, func() { f(cpu) })
		if err != nil {
			failed = err
			break
		}
		threads = append(threads, t)
	}
	for _, t := range threads {
		_, err := t.Join()
		failed = errors.Join(failed, err)
	}
	return failed
}
