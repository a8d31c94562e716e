package sys

import (
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// In a process of its own: with the fault that this test is about, even the test
// binary's alarm would not go off.
func TestWaitingThreadsDoNotHangTheCollector(t *testing.T) {
	out, child, err := inChild(t, 20*time.Second)
	if !child {
		if err != nil {
			t.Errorf("%v, output:\n%s", err, out)
		}
		return
	}
	var g gate
	var ids []Thread
	for range 64 {
		ids = append(ids, start(t, Options{}, g.wait))
	}
	for range 5 {
		runtime.GC()
	}
	g.open()
	mustJoin(t, ids...)
}

// With one P, the time from a wait to the first step of another goroutine is the
// time for which the waiter kept the P. syscall.Syscall6 keeps it until the
// runtime's monitor looks, which it does ever less often while nothing waits.
func TestWaitGivesThePAwayAtOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const samples, long = 11, 20 * time.Millisecond
	var word uint32
	wait := func() { FutexWait(&word, 0, long) }
	keep := func() {
		at := syscall.NsecToTimespec(int64(long))
		syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(&word)), futexWait, 0, uintptr(unsafe.Pointer(&at)), 0, 0)
	}
	var given, kept []time.Duration
	run(t, Options{}, func() {
		for range samples {
			given = append(given, untilOtherRuns(wait))
			kept = append(kept, untilOtherRuns(keep))
		}
	})
	slices.Sort(given)
	slices.Sort(kept)
	t.Logf("medians: through FutexWait %v, through Syscall6 %v", given[samples/2], kept[samples/2])
	if given[samples/2]*4 > kept[samples/2] {
		t.Errorf("a wait keeps the P for %v, Syscall6 for %v in the same run", given[samples/2], kept[samples/2])
	}
}

func untilOtherRuns(wait func()) time.Duration {
	for quiet := Now() + 30*time.Millisecond; Now() < quiet; {
	}
	var ran atomic.Int64
	began := Now()
	go func() { ran.Store(int64(Now() - began)) }()
	wait()
	for ran.Load() == 0 {
		runtime.Gosched()
	}
	return time.Duration(ran.Load())
}

func TestRaiseProcsRestores(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	restore := RaiseProcs(before + 3)
	if n := runtime.GOMAXPROCS(0); n != before+3 {
		t.Errorf("raised to %d, want %d", n, before+3)
	}
	RaiseProcs(1)()
	if n := runtime.GOMAXPROCS(0); n != before+3 {
		t.Errorf("raising to less changed the number to %d", n)
	}
	restore()
	restore()
	if n := runtime.GOMAXPROCS(0); n != before {
		t.Errorf("restored to %d, want %d", n, before)
	}
}
