package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"hearth/sys"
)

// watchers are threads, one pinned to each CPU, that look at a page each time the
// generation goes up and say that they have.
type watchers struct {
	generation atomic.Uint64
	seen       []atomic.Uint64 // by CPU
	failed     atomic.Pointer[error]
	threads    []sys.Thread
}

// watch starts them; look judges the page in a generation.
func watch(look func(generation uint64) error) (*watchers, error) {
	w := &watchers{seen: make([]atomic.Uint64, runtime.NumCPU())}
	for cpu := range w.seen {
		mask := sys.MaskOf(cpu)
		t, err := sys.SpawnWith(sys.Options{Mask: &mask}, func() { w.loop(cpu, look) })
		if err != nil {
			return nil, err
		}
		w.threads = append(w.threads, t)
	}
	return w, nil
}

// over ends the watchers.
const over = ^uint64(0)

func (w *watchers) loop(cpu int, look func(uint64) error) {
	last := uint64(0)
	for {
		generation := w.generation.Load()
		switch generation {
		case over:
			return
		case last:
			sys.Yield()
			continue
		}
		if err := look(generation); err != nil {
			err = fmt.Errorf("CPU %d, generation %d: %w", cpu, generation, err)
			w.failed.CompareAndSwap(nil, &err)
		}
		last = generation
		w.seen[cpu].Store(generation)
	}
}

// show publishes a generation and waits until all have looked.
func (w *watchers) show(generation uint64) error {
	w.generation.Store(generation)
	for cpu := range w.seen {
		for w.seen[cpu].Load() != generation {
			runtime.Gosched()
		}
	}
	if err := w.failed.Load(); err != nil {
		return *err
	}
	return nil
}

func (w *watchers) end() error {
	w.generation.Store(over)
	for _, t := range w.threads {
		if _, err := t.Join(); err != nil {
			return err
		}
	}
	return nil
}

const rounds = 200

// goneEverywhere replaces a page over and over, at one address. A CPU with an old
// translation would read the frame of before.
func goneEverywhere() error {
	defer sys.RaiseProcs(2*runtime.NumCPU() + 2)()
	p := mustMap(1)
	defer p.unmap()
	w, err := watch(func(generation uint64) error {
		if got := *word(p.at); got != generation {
			return fmt.Errorf("reads %d", got)
		}
		return nil
	})
	for generation := uint64(1); generation <= rounds && err == nil; generation++ {
		if generation%2 == 0 {
			p.unmap()
		}
		if _, errno := mapPages(p.at, page, readWrite, mapFixed); errno != 0 {
			err = errno
			break
		}
		*word(p.at) = generation
		err = w.show(generation)
	}
	return first(err, w.end())
}

// protectedEverywhere takes a page away and gives it back: in odd generations
// every CPU must meet a fault, in even ones read what was there.
func protectedEverywhere() error {
	defer sys.RaiseProcs(2*runtime.NumCPU() + 2)()
	p := mustMap(1)
	defer p.unmap()
	p.fill()
	w, err := watch(func(generation uint64) error {
		if generation%2 == 1 {
			return p.refusesReads()
		}
		return p.holds()
	})
	for generation := uint64(1); generation <= rounds && err == nil; generation++ {
		protection := readWrite
		if generation%2 == 1 {
			protection = syscall.PROT_NONE
		}
		if err = is("mprotect", p.protect(protection), 0); err == nil {
			err = w.show(generation)
		}
	}
	return first(err, w.end())
}

// onEveryCPU makes a check in a thread pinned to each CPU, one after the other.
func onEveryCPU(check func() error) error {
	for cpu := range runtime.NumCPU() {
		mask := sys.MaskOf(cpu)
		var failed error
		t, err := sys.SpawnWith(sys.Options{Mask: &mask}, func() { failed = check() })
		if err != nil {
			return err
		}
		if _, err := t.Join(); err != nil {
			return err
		}
		if failed != nil {
			return fmt.Errorf("on CPU %d: %w", cpu, failed)
		}
	}
	return nil
}

// within reports whether a condition comes true before a generous time is over.
func within(condition func() bool) bool {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		if condition() {
			return true
		}
	}
	return false
}
