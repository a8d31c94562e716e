package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"hearth/sys"
)

// zombies has a thread start all others that there can be. They end, and are joined
// only after the table has refused more.
func zombies() error {
	return in(func() error {
		const most = sys.MaxThreads - 1
		threads := make([]sys.Thread, 0, most)
		for i := range most {
			t, err := sys.Spawn(func() { leave(codeOf(i)) })
			if err != nil {
				return fmt.Errorf("thread %d: %w", i, err)
			}
			threads = append(threads, t)
		}
		if err := refuses(8); err != nil {
			return err
		}
		for i, t := range threads {
			if code, err := t.Join(); err != nil || code != codeOf(i) {
				return fmt.Errorf("thread %d ended with %d, %v, want %d", i, code, err, codeOf(i))
			}
		}
		return nil
	})
}

// codeOf is the exit code of the zombies' thread i: of some not 0, since an end with
// a code takes the OS thread along.
func codeOf(i int) int {
	if i%50 == 0 {
		return i % 251
	}
	return 0
}

func leave(code int) {
	if code != 0 {
		sys.Exit(code)
	}
}

// refuses demands that so many spawns fail for want of a thread.
func refuses(n int) error {
	for range n {
		if _, err := sys.Spawn(func() {}); !errors.Is(err, syscall.EAGAIN) {
			return fmt.Errorf("one thread more: %v, want %v", err, syscall.EAGAIN)
		}
	}
	return nil
}

// gate holds threads until it opens.
type gate struct {
	word    uint32
	passed  atomic.Int32
	threads []sys.Thread
}

// fill adds threads that wait at the gate.
func (g *gate) fill(n int) error {
	for i := range n {
		t, err := sys.Spawn(func() {
			for atomic.LoadUint32(&g.word) == 0 {
				_ = sys.FutexWait(&g.word, 0, sys.Forever)
			}
			g.passed.Add(1)
		})
		if err != nil {
			return fmt.Errorf("thread %d: %w", i, err)
		}
		g.threads = append(g.threads, t)
	}
	return nil
}

// open lets them go and joins them.
func (g *gate) open() error {
	atomic.StoreUint32(&g.word, 1)
	sys.FutexWake(&g.word, sys.MaxThreads)
	for i, t := range g.threads {
		if _, err := t.Join(); err != nil {
			return fmt.Errorf("thread %d: %w", i, err)
		}
	}
	if n := int(g.passed.Load()); n != len(g.threads) {
		return fmt.Errorf("%d of %d threads passed", n, len(g.threads))
	}
	return nil
}

func aliveTwice() error {
	for range 2 {
		var g gate
		if err := g.fill(sys.MaxThreads); err != nil {
			return err
		}
		if err := refuses(8); err != nil {
			return err
		}
		if err := g.open(); err != nil {
			return err
		}
	}
	return nil
}

// detached starts more threads than there can be at once, and nobody joins them; then
// every one is to be had again.
func detached() error {
	var ended atomic.Int32
	const all = sys.MaxThreads + 8
	for i := range all {
		for int32(i)-ended.Load() >= 64 {
			runtime.Gosched()
			sys.Yield()
		}
		if _, err := sys.SpawnWith(sys.Options{Detached: true}, func() { ended.Add(1) }); err != nil {
			return fmt.Errorf("thread %d: %w", i, err)
		}
	}
	for ended.Load() != all {
		sys.Yield()
	}
	var g gate
	if err := g.fill(sys.MaxThreads); err != nil {
		return err
	}
	return g.open()
}

// contexts demands OS threads for goroutines of the runtime while all threads live.
func contexts() error {
	var g gate
	if err := g.fill(sys.MaxThreads); err != nil {
		return err
	}
	const more = 480
	var locked, wg sync.WaitGroup
	release := make(chan struct{})
	locked.Add(more)
	for range more {
		wg.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			locked.Done()
			<-release
		})
	}
	locked.Wait()
	close(release)
	wg.Wait()
	return g.open()
}

// endOSThreads has more OS threads end than there can be at once.
func endOSThreads() error {
	const all, together = 5120, 64
	for range all / together {
		var wg sync.WaitGroup
		for range together {
			wg.Go(func() {
				runtime.LockOSThread() // and never unlocks
				runtime.Gosched()
			})
		}
		wg.Wait()
	}
	return nil
}

// memoryFlat fills the table again and again: what the kernel took the first time it
// must have kept, and take no more.
func memoryFlat() error {
	var first sys.Memory
	for round := range 4 {
		var g gate
		if err := errors.Join(g.fill(sys.MaxThreads), g.open()); err != nil {
			return err
		}
		m, err := sys.ReadMemory()
		if err != nil {
			return err
		}
		if round == 0 {
			first = m
		}
		fmt.Printf("round %d: kernel %d tables %d program %d regions %d\n", round, m.Kernel, m.Tables, m.Program, m.Regions)
		if m.Kernel != first.Kernel {
			return fmt.Errorf("the kernel holds %d bytes after round %d, %d after the first", m.Kernel, round, first.Kernel)
		}
	}
	return nil
}
