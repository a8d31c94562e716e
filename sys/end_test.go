package sys

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func TestJoinReturnsTheExitCodeToAnyThread(t *testing.T) {
	for _, code := range []int{0, 7, -1} {
		id := start(t, Options{}, func() { Exit(code) })
		got, err := -100, error(nil)
		run(t, Options{}, func() { got, err = id.Join() })
		if got != code || err != nil {
			t.Errorf("joined %d, %v; want %d", got, err, code)
		}
	}
}

func TestJoinRefusesWhatCannotEnd(t *testing.T) {
	wantErrno := func(what string, err error, want syscall.Errno) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", what, err, want)
		}
	}
	for _, id := range []Thread{0, -1, MaxThreads + 1} {
		_, err := id.Join()
		wantErrno("number out of range", err, syscall.ESRCH)
	}
	var g gate
	id := start(t, Options{}, func() {
		_, err := Self().Join()
		wantErrno("self", err, syscall.EDEADLK)
		g.wait()
	})
	joined := make(chan error)
	go func() { _, err := id.Join(); joined <- err }()
	r := threadRecord(id)
	eventually(t, "the first joiner is registered", func() bool { return r.state.Load()&threadClaimed != 0 })
	_, err := id.Join()
	wantErrno("second joiner", err, syscall.EINVAL)
	g.open()
	if err := <-joined; err != nil {
		t.Errorf("first joiner: %v", err)
	}
	_, err = id.Join()
	wantErrno("joined already", err, syscall.ESRCH)

	var g2 gate
	id = start(t, Options{Detached: true}, g2.wait)
	_, err = id.Join()
	wantErrno("detached", err, syscall.EINVAL)
	g2.open()
}

// A carrier whose goroutine unwinds takes its OS thread along; the next spawn must
// do without it, and the deferred functions run.
func TestGoexitEndsTheThreadAndOnlyIt(t *testing.T) {
	var deferred atomic.Int64
	for range 100 {
		id := start(t, Options{}, func() {
			defer deferred.Add(1)
			runtime.Goexit()
		})
		mustJoin(t, id)
	}
	if deferred.Load() != 100 {
		t.Errorf("%d of 100 deferred functions ran", deferred.Load())
	}
	live := int(liveCarriers.Load())
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) > live+60 {
		t.Errorf("%d OS threads for %d carriers: those of the ended ones are still there", len(tasks), live)
	}
	spawnAll(t, 64)
}

func TestPanicEndsTheProgramAsInAnyGoroutine(t *testing.T) {
	out, child, err := inChild(t, 20*time.Second)
	if child {
		id := start(t, Options{}, func() {
			defer func() { _ = len("deferred functions run") }()
			panic("the thread's own words")
		})
		id.Join()
		os.Stdout.WriteString("joined\n")
		time.Sleep(10 * time.Second)
		return
	}
	if err == nil || !strings.Contains(out, "panic: the thread's own words\n") || !strings.Contains(out, "TestPanicEndsTheProgramAsInAnyGoroutine") {
		t.Errorf("error %v, output:\n%s", err, out)
	}
	for _, wrong := range []string{"recovered", "joined"} {
		if strings.Contains(out, wrong) {
			t.Errorf("the output has the word %q:\n%s", wrong, out)
		}
	}
}

func TestRecoveredPanicInsideAThreadIsAnOrdinaryEnd(t *testing.T) {
	before := Carriers()
	spawnAll(t, 1)
	for range 10 {
		run(t, Options{}, func() {
			defer func() { recover() }()
			panic("caught")
		})
	}
	if now := Carriers(); now > before+1 {
		t.Errorf("%d carriers were lost", now-before)
	}
}

// The runtime gives the descriptor of an ended goroutine to a new one.
func TestGoroutinesAfterAnEndedCarrierAreNoThreads(t *testing.T) {
	for range 50 {
		mustJoin(t, start(t, Options{}, runtime.Goexit))
	}
	ids, ask := make(chan Thread), make(chan bool)
	for range 400 {
		go func() { <-ask; ids <- Self() }()
	}
	var g gate
	var held []Thread // one for each parked carrier, then some for the carriers that ended
	for range int(liveCarriers.Load()) + 50 {
		held = append(held, start(t, Options{}, g.wait))
	}
	defer func() { g.open(); mustJoin(t, held...) }()
	close(ask)
	for range 400 {
		if id := <-ids; id != 0 {
			t.Fatalf("a new goroutine takes itself for thread %d", id)
		}
	}
}

func TestSelfTellsThreadsFromGoroutines(t *testing.T) {
	if Self() != 0 {
		t.Errorf("the test's goroutine is thread %d", Self())
	}
	var id, self, inside Thread
	id = start(t, Options{}, func() {
		self = Self()
		done := make(chan bool)
		go func() { inside = Self(); close(done) }()
		<-done
	})
	mustJoin(t, id)
	if self != id || inside != 0 {
		t.Errorf("thread %d calls itself %d, a goroutine that it started calls itself %d", id, self, inside)
	}
}
