package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"hearth/sys"
)

// errnoOf is the error number behind what a call of package sys returned.
func errnoOf(err error) syscall.Errno {
	var errno syscall.Errno
	errors.As(err, &errno)
	return errno
}

func joinOnce() error {
	for _, code := range []int{0, 1, 77, -1} {
		t, err := sys.Spawn(func() { sys.Exit(code) })
		if err != nil {
			return err
		}
		got, err := t.Join()
		if err != nil || got != code {
			return fmt.Errorf("joined with %d, %v, want %d", got, err, code)
		}
		_, err = t.Join()
		if err := is("a second join", errnoOf(err), syscall.ESRCH); err != nil {
			return err
		}
	}
	return nil
}

func joinRefusals() error {
	var itself error
	t, err := sys.Spawn(func() { _, itself = sys.Self().Join() })
	if err != nil {
		return err
	}
	if _, err := t.Join(); err != nil {
		return err
	}
	_, nobody := sys.Thread(sys.MaxThreads).Join()
	_, impossible := sys.Thread(1 << 30).Join()
	return first(
		is("join of itself", errnoOf(itself), syscall.EDEADLK),
		is("join of nobody", errnoOf(nobody), syscall.ESRCH),
		is("join of a number beyond", errnoOf(impossible), syscall.ESRCH),
		joinDetached(), joinTwice())
}

func joinDetached() error {
	var gate atomic.Bool
	t, err := sys.SpawnWith(sys.Options{Detached: true}, func() { within(gate.Load) })
	if err != nil {
		return err
	}
	_, err = t.Join()
	gate.Store(true)
	return is("join of a detached thread", errnoOf(err), syscall.EINVAL)
}

// joinTwice joins a thread that another one already waits for.
func joinTwice() error {
	var gate atomic.Bool
	t, err := sys.Spawn(func() { within(gate.Load) })
	if err != nil {
		return err
	}
	var early error
	other, err := sys.Spawn(func() { _, early = t.Join() })
	if err != nil {
		return err
	}
	waits := within(func() bool { status, err := other.Status(); return err == nil && status.State == sys.Blocked })
	time.Sleep(5 * time.Millisecond)
	_, late := t.Join()
	gate.Store(true)
	_, err = other.Join()
	return first(wrong(waits, "the first joiner does not wait"), err, early, is("join behind another", errnoOf(late), syscall.EINVAL))
}

// affinityMoves changes the mask of a thread that runs and of one that waits, to
// every CPU in turn.
func affinityMoves() error {
	defer sys.RaiseProcs(runtime.NumCPU() + 4)()
	var stop atomic.Bool
	var runs atomic.Int32
	runner, err := sys.Spawn(func() {
		for !stop.Load() {
			runs.Store(int32(sys.CurrentCPU()))
		}
	})
	if err != nil {
		return err
	}
	var word, woke uint32
	var ran atomic.Int32
	waiter, err := sys.Spawn(func() {
		for seen := uint32(0); !stop.Load(); {
			sys.FutexWait(&word, seen, time.Minute)
			seen = atomic.LoadUint32(&word)
			ran.Store(int32(sys.CurrentCPU()))
			atomic.StoreUint32(&woke, seen)
		}
	})
	if err != nil {
		return err
	}
	var failed error
	for cpu := range 2 * runtime.NumCPU() {
		cpu %= runtime.NumCPU()
		mask := sys.MaskOf(cpu)
		if failed = first(failed, runner.SetAffinity(&mask), waiter.SetAffinity(&mask)); failed != nil {
			break
		}
		generation := atomic.AddUint32(&word, 1)
		sys.FutexWake(&word, 1)
		if !within(func() bool { return runs.Load() == int32(cpu) }) {
			failed = fmt.Errorf("the running thread was sent to CPU %d and is on %d", cpu, runs.Load())
		}
		if !within(func() bool { return atomic.LoadUint32(&woke) == generation }) || ran.Load() != int32(cpu) {
			failed = fmt.Errorf("the waiting thread was sent to CPU %d and woke on %d", cpu, ran.Load())
		}
		if held, err := waiter.Affinity(); err != nil || held != mask {
			failed = fmt.Errorf("the waiting thread's mask is %v, %v, want %v", &held, err, &mask)
		}
	}
	stop.Store(true)
	atomic.AddUint32(&word, 1)
	sys.FutexWake(&word, 1)
	_, one := runner.Join()
	_, two := waiter.Join()
	return first(failed, one, two)
}

func affinityRefusals() error {
	offline := sys.MaskOf(sys.MaxCPUs - 1)
	var none sys.Mask
	_, spawned := sys.SpawnWith(sys.Options{Mask: &offline}, func() {})
	mask := sys.Online()
	t, err := sys.Spawn(func() {})
	if err != nil {
		return err
	}
	if _, err := t.Join(); err != nil {
		return err
	}
	return first(
		is("spawn on an offline CPU", errnoOf(spawned), syscall.EINVAL),
		is("affinity to an offline CPU", errnoOf(sys.Thread(0).SetAffinity(&offline)), syscall.EINVAL),
		is("affinity to no CPU", errnoOf(sys.Thread(0).SetAffinity(&none)), syscall.EINVAL),
		is("affinity of a thread that ended", errnoOf(t.SetAffinity(&mask)), syscall.ESRCH))
}

// yieldLets puts two threads on one CPU; each yields until the other has had its
// turn, over and over. What counts is how many yields a turn takes: were they
// without effect, the other's turn would come with the end of the slice, after
// thousands. Time would tell nothing on a host with other work.
func yieldLets() error {
	const turns, most = 2_000, 100 // yields a turn
	var yields atomic.Int64
	mask := sys.MaskOf(runtime.NumCPU() - 1)
	var turn atomic.Int64
	var threads [2]sys.Thread
	for i := range threads {
		var err error
		threads[i], err = sys.SpawnWith(sys.Options{Mask: &mask}, func() {
			for turn.Load() < turns {
				if turn.Load()%2 == int64(i) {
					turn.Add(1)
				}
				sys.Yield()
				yields.Add(1)
			}
		})
		if err != nil {
			return err
		}
	}
	for _, t := range threads {
		if _, err := t.Join(); err != nil {
			return err
		}
	}
	if n := yields.Load(); n > most*turns {
		return fmt.Errorf("%d turns took %d yields", turns, n)
	}
	return nil
}
