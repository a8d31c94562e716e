package sys

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// sleepers starts n threads that wait once on addr and count what they returned
// with. All are asleep in that very call when it returns.
func sleepers(t *testing.T, addr *uint32, n int) (ids []Thread, woken *atomic.Int64) {
	t.Helper()
	woken = new(atomic.Int64)
	for range n {
		ids = append(ids, start(t, Options{}, func() {
			if err := FutexWait(addr, 0, Forever); err == nil {
				woken.Add(1)
			}
		}))
	}
	for _, id := range ids {
		eventually(t, "the waiter sleeps", func() bool { return sleepsOn(t, id, addr) })
	}
	return ids, woken
}

// sleepsOn looks at the system call in which the thread is, and its first argument.
func sleepsOn(t *testing.T, id Thread, addr *uint32) bool {
	t.Helper()
	tid, errno := id.osThread()
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/syscall", tid))
	if errno != 0 || err != nil {
		t.Fatalf("%v, %v", errno, err)
	}
	return strings.HasPrefix(string(text), fmt.Sprintf("%d %#x ", syscall.SYS_FUTEX, uintptr(unsafe.Pointer(addr))))
}

// release lets go whoever still waits, so that a failed test ends.
func release(addrs ...*uint32) {
	for _, addr := range addrs {
		atomic.StoreUint32(addr, 1)
		FutexWake(addr, math.MaxInt)
	}
}

func TestFutexWakeCountsWhomItWoke(t *testing.T) {
	var word uint32
	ids, woken := sleepers(t, &word, 5)
	for _, step := range []struct{ n, want int }{{0, 0}, {-1, 0}, {2, 2}, {1 << 40, 3}, {1, 0}} {
		if got := FutexWake(&word, step.n); got != step.want {
			t.Errorf("wake %d returned %d, want %d", step.n, got, step.want)
		}
	}
	release(&word)
	mustJoin(t, ids...)
	if woken.Load() != 5 {
		t.Errorf("%d waits returned nil, want 5", woken.Load())
	}
}

func TestFutexRequeueWakesAndMovesAsManyAsItSays(t *testing.T) {
	var from, to uint32
	ids, _ := sleepers(t, &from, 6)
	if n, err := FutexRequeue(&from, 1, 2, &to, 1); n != 0 || err != ErrRequeueChanged || !errors.Is(err, syscall.EAGAIN) {
		t.Errorf("with another value: %d, %v", n, err)
	}
	if n, err := FutexRequeue(&from, 1, 2, &to, 0); n != 3 || err != nil {
		t.Errorf("requeue: %d, %v; want 1 woken and 2 moved", n, err)
	}
	if n := FutexWake(&to, 10); n != 2 {
		t.Errorf("%d waiters were moved, want 2", n)
	}
	if n := FutexWake(&from, 10); n != 3 {
		t.Errorf("%d waiters stayed, want 3", n)
	}
	release(&from, &to)
	mustJoin(t, ids...)
}

func TestFutexWaitDoesNotWaitOnAChangedWord(t *testing.T) {
	word := uint32(5)
	for _, timeout := range []time.Duration{Forever, 0, time.Hour} {
		if err := FutexWait(&word, 4, timeout); err != ErrChanged || !errors.Is(err, syscall.EAGAIN) {
			t.Errorf("timeout %v: %v", timeout, err)
		}
	}
}

// Signals would end a plain futex wait; the runtime sends them at any time.
func TestFutexTimeoutIsNeverEarly(t *testing.T) {
	var word uint32
	var stop atomic.Bool
	tid := make(chan int32)
	done := make(chan bool)
	go func() {
		for target := <-tid; !stop.Load(); time.Sleep(300 * time.Microsecond) {
			syscall.Tgkill(syscall.Getpid(), int(target), syscall.SIGURG)
		}
		close(done)
	}()
	run(t, Options{}, func() {
		tid <- gettid()
		for i := range 300 {
			timeout := time.Duration(i%30) * 100 * time.Microsecond
			began := Now()
			err := FutexWait(&word, 0, timeout)
			if took := Now() - began; err != ErrTimeout || took < timeout {
				t.Errorf("timeout %v: %v after %v", timeout, err, took)
			}
			deadline := Now() + timeout
			err = FutexWaitUntil(&word, 0, deadline)
			if now := Now(); err != ErrTimeout || now < deadline {
				t.Errorf("deadline: %v, %v early", err, deadline-now)
			}
		}
	})
	stop.Store(true)
	<-done
}

func TestFutexOfAnAddressWithoutAWordIsRefused(t *testing.T) {
	var words [2]uint32
	odd := oddWord(&words)
	if err := FutexWait(odd, 0, 0); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("wait: %v", err)
	}
	if n := FutexWake(odd, 1); n != 0 {
		t.Errorf("wake: %d", n)
	}
	if _, err := FutexRequeue(odd, 1, 1, odd, 0); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("requeue: %v", err)
	}
}

func TestFutexWaitDoesNotAllocate(t *testing.T) {
	word := new(uint32)
	if n := testing.AllocsPerRun(100, func() { FutexWait(word, 0, time.Microsecond); FutexWait(word, 1, Forever) }); n != 0 {
		t.Errorf("%v allocations a wait", n)
	}
}

// Two threads that hand one word to and fro lose no wake.
func TestFutexHandsOverWithoutLosingAWake(t *testing.T) {
	var word uint32
	const rounds = 5000
	take := func(mine, next uint32) {
		for range rounds {
			for atomic.LoadUint32(&word) != mine {
				FutexWait(&word, next, Forever)
			}
			atomic.StoreUint32(&word, next)
			FutexWake(&word, 1)
		}
	}
	a := start(t, Options{}, func() { take(0, 1) })
	b := start(t, Options{}, func() { take(1, 0) })
	mustJoin(t, a, b)
	runtime.KeepAlive(&word)
}
