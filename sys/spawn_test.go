package sys

import (
	"errors"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"
)

// spawnAll starts n threads that each add their number, and joins them.
func spawnAll(t *testing.T, n int) {
	t.Helper()
	var sum atomic.Int64
	ids := make([]Thread, n)
	for i := range ids {
		ids[i] = start(t, Options{}, func() { sum.Add(int64(i)) })
	}
	mustJoin(t, ids...)
	if want := int64(n * (n - 1) / 2); sum.Load() != want {
		t.Fatalf("the numbers of %d threads add up to %d, want %d", n, sum.Load(), want)
	}
}

func TestThreadsRunOnceAndCanBeJoinedTwiceOver(t *testing.T) {
	for _, n := range []int{64, 512} {
		spawnAll(t, n)
		spawnAll(t, n)
	}
}

// Threads that live at the same time need as many carriers; the second time none.
func TestReserveServesTheSecondBatchWithoutAClone(t *testing.T) {
	batch := func(n int) {
		var g gate
		ids := make([]Thread, n)
		for i := range ids {
			ids[i] = start(t, Options{}, g.wait)
		}
		g.open()
		mustJoin(t, ids...)
	}
	batch(64)
	carriersBefore, clones := Carriers(), threadsCreated()
	if carriersBefore < 64 {
		t.Fatalf("64 threads at once on %d carriers", carriersBefore)
	}
	for range 5 {
		batch(64)
	}
	if now := Carriers(); now != carriersBefore {
		t.Errorf("%d carriers were started for a batch that the reserve could serve", now-carriersBefore)
	}
	if now := threadsCreated(); now > clones+32 { // the runtime's own; a clone a thread would be 320
		t.Errorf("%d OS threads were cloned for 5 batches of 64", now-clones)
	}
}

func threadsCreated() int { n, _ := runtime.ThreadCreateProfile(nil); return n }

func TestReserveStartsCarriersAhead(t *testing.T) {
	if err := Reserve(40); err != nil {
		t.Fatal(err)
	}
	before := Carriers()
	var g gate
	var ids []Thread
	for range 40 {
		ids = append(ids, start(t, Options{}, g.wait))
	}
	g.open()
	mustJoin(t, ids...)
	if now := Carriers(); now != before {
		t.Errorf("%d more carriers were started", now-before)
	}
	if err := Reserve(MaxThreads + 1); !errors.Is(err, syscall.EAGAIN) {
		t.Errorf("reserve beyond the limit: %v, want EAGAIN", err)
	}
}

func TestThreadsAndGoroutinesSpawnThreads(t *testing.T) {
	var leaves atomic.Int64
	var grow func(depth int)
	grow = func(depth int) {
		if depth == 0 {
			leaves.Add(1)
			return
		}
		var ids []Thread
		for range 3 {
			id, err := Spawn(func() { grow(depth - 1) })
			if err != nil {
				t.Error(err)
				return
			}
			ids = append(ids, id)
		}
		for _, id := range ids {
			if _, err := id.Join(); err != nil {
				t.Error(err)
			}
		}
	}
	done := make(chan bool)
	for range 4 {
		go func() { grow(3); done <- true }()
	}
	for range 4 {
		<-done
	}
	if leaves.Load() != 4*27 {
		t.Errorf("%d leaves, want %d", leaves.Load(), 4*27)
	}
}

// Ended threads hold their numbers until they are joined, few carriers serve them.
func TestThreadBeyondTheLimitIsRefusedAndNothingIsLost(t *testing.T) {
	fill := func() (ids []Thread, err error) {
		for {
			var id Thread
			if id, err = Spawn(func() {}); err != nil {
				return ids, err
			}
			ids = append(ids, id)
		}
	}
	for round := range 2 {
		ids, err := fill()
		if len(ids) != MaxThreads {
			t.Fatalf("round %d: %d threads exist at once, want %d", round, len(ids), MaxThreads)
		}
		if !errors.Is(err, syscall.EAGAIN) || err.Error() != "sys: spawn: all 4096 threads are in use; join those that ended" {
			t.Errorf("round %d: the error is %v", round, err)
		}
		for range MaxThreads {
			if _, err := Spawn(func() {}); !errors.Is(err, syscall.EAGAIN) {
				t.Fatalf("round %d: beyond the limit: %v", round, err)
			}
		}
		mustJoin(t, ids...)
	}
}

func TestDetachedThreadsGiveTheirNumbersBack(t *testing.T) {
	var ran atomic.Int64
	for range MaxThreads + 8 {
		for {
			_, err := SpawnWith(Options{Detached: true}, func() { ran.Add(1) })
			if err == nil {
				break
			}
			if !errors.Is(err, syscall.EAGAIN) {
				t.Fatal(err)
			}
			Yield()
		}
	}
	eventually(t, "all detached threads ran", func() bool { return ran.Load() == MaxThreads+8 })
}

func TestOptionsOutOfRangeAreRefusedByName(t *testing.T) {
	far := MaskOf(64)
	online := Online()
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Mask: &far}, "sys: spawn: affinity mask {64} holds no online CPU; online: " + online.String()},
		{Options{Mask: &Mask{}}, "sys: spawn: affinity mask {} holds no online CPU; online: " + online.String()},
		{Options{Relation: 2}, "sys: spawn: relation 2; known: 0 (pair), 1 (stranger)"},
		{Options{Class: 3}, "sys: spawn: class 3; known: 0 (fair), 1 (real-time), 2 (background)"},
		{Options{Weight: -1}, "sys: spawn: weight -1; it must be within 1 and 10000, or 0 for the default, 100"},
		{Options{Weight: 10001}, "sys: spawn: weight 10001; it must be within 1 and 10000, or 0 for the default, 100"},
		{Options{Name: "sixteen letters."}, `sys: spawn: name "sixteen letters." is longer than 15 bytes`},
		{Options{StackBytes: -1}, "sys: spawn: stack of -1 bytes; it must be within 0 and 536870912"},
	} {
		id, err := SpawnWith(c.o, func() { t.Error("the refused thread ran") })
		if err == nil || err.Error() != c.want || !errors.Is(err, syscall.EINVAL) {
			t.Errorf("thread %d, error %v; want %s", id, err, c.want)
		}
	}
	if _, err := Spawn(nil); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("nil function: %v", err)
	}
	spawnAll(t, 64) // the refused ones left nothing behind
}

func TestStackIsThereBeforeTheFunctionStarts(t *testing.T) {
	moved := func(o Options) (moved bool) {
		if errno := startCarrier(); errno != 0 { // the next spawn's, with the stack of a new goroutine
			t.Fatal(errno)
		}
		run(t, o, func() {
			var mark byte
			at := uintptr(unsafe.Pointer(&mark))
			growStack(512 << 10)
			moved = at != uintptr(unsafe.Pointer(&mark))
		})
		return moved
	}
	if !moved(Options{}) {
		t.Error("a stack of no stated size held 512 KiB: the other half of this test proves nothing")
	}
	if moved(Options{StackBytes: 1 << 20}) {
		t.Error("a stack of 1 MiB moved when 512 KiB of it were used")
	}
}

func TestSpawnAndJoinDoNotAllocate(t *testing.T) {
	mask := Online()
	fn := func() {}
	spawnAll(t, 2)
	allocs := testing.AllocsPerRun(200, func() {
		id, err := SpawnWith(Options{Mask: &mask, Name: "none"}, fn)
		if err == nil {
			_, err = id.Join()
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations a spawn and join", allocs)
	}
}
