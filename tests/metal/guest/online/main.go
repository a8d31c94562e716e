// Command online is the guest whose CPUs go offline and come back while its threads
// run and wait everywhere. After each change every thread must get on, none may run on
// a CPU that is offline, and one that is pinned to a CPU must be back there once the
// CPU is. The argument is the number of rounds, or: isolated LIST, or: exchange ROUNDS.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	_ "hearth/kernel"
	"hearth/sys"
)

// worker is a thread that goes on for ever in one of several ways.
type worker struct {
	name  string
	pin   int // the CPU of its mask, -1: every one
	turns atomic.Int64
	on    atomic.Int32 // where it saw itself last
	word  uint32
	other *worker
}

var (
	workers []*worker
	ran     [sys.MaxCPUs]atomic.Int64 // turns begun on a CPU
	stop    atomic.Bool
)

func main() {
	switch os.Args[1] {
	case "isolated":
		report("isolated", isolated(os.Args[2]))
		return
	case "exchange":
		report("exchange", exchange(os.Args[2]))
		return
	}
	rounds, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	sys.RaiseProcs(64)
	threads := start(sys.Online())
	report("refusals", refusals())
	report("online", hold(rounds))
	stop.Store(true)
	for i, t := range threads {
		atomic.StoreUint32(&workers[i].word, 1)
		sys.FutexWake(&workers[i].word, 1)
		if _, err := t.Join(); err != nil {
			report("join", err)
		}
	}
}

func report(claim string, err error) {
	if err != nil {
		fmt.Println("claim", claim, "FAILED", err)
		os.Exit(1)
	}
	fmt.Println("claim", claim, "ok")
}

// start makes, pinned to each CPU and once without a mask, one that computes, one
// that sleeps and two that wake each other.
func start(online sys.Mask) (threads []sys.Thread) {
	for cpu := -1; cpu < 0 || online.Has(cpu); cpu++ {
		ping, pong := &worker{name: "ping", pin: cpu}, &worker{name: "pong", pin: cpu}
		ping.other, pong.other = pong, ping
		for w, turn := range map[*worker]func(*worker){
			{name: "computes", pin: cpu}: (*worker).compute,
			{name: "sleeps", pin: cpu}:   (*worker).sleep,
			ping:                         (*worker).exchange,
			pong:                         (*worker).exchange,
		} {
			o := sys.Options{Name: w.name}
			if cpu >= 0 {
				mask := sys.MaskOf(cpu)
				o.Mask = &mask
			}
			t, err := sys.SpawnWith(o, func() { w.run(turn) })
			if err != nil {
				report("spawn", err)
			}
			workers, threads = append(workers, w), append(threads, t)
		}
	}
	return threads
}

func (w *worker) run(turn func(*worker)) {
	for !stop.Load() {
		cpu := sys.CurrentCPU()
		w.on.Store(int32(cpu))
		ran[cpu].Add(1)
		turn(w)
		w.turns.Add(1)
	}
}

func (w *worker) compute() {
	for end := sys.Now() + 50*time.Microsecond; sys.Now() < end; {
	}
}

func (w *worker) sleep() {
	var never uint32
	sys.FutexWait(&never, 0, 300*time.Microsecond)
}

// exchange wakes the partner and waits for its wake; the timeout is far beyond what
// a wake takes, and one that is needed counts as a wake that was lost.
func (w *worker) exchange() {
	atomic.StoreUint32(&w.other.word, 1)
	sys.FutexWake(&w.other.word, 1)
	for !stop.Load() && !atomic.CompareAndSwapUint32(&w.word, 1, 0) {
		if err := sys.FutexWait(&w.word, 0, patience); errors.Is(err, syscall.ETIMEDOUT) && !stop.Load() {
			report("wake", fmt.Errorf("%s of CPU %d was not woken", w.name, w.pin))
		}
	}
}

// patience is far longer than anything here takes on a busy host.
const patience = 20 * time.Second

// hold takes one, two or three CPUs away at a time and brings them back.
func hold(rounds int) error {
	all := sys.Online()
	n := all.Count()
	for round := range rounds {
		var gone sys.Mask
		for i := range 1 + round%(n-1) {
			gone.Set((round + i) % n)
		}
		if err := set(&gone, false); err != nil {
			return err
		}
		if now := sys.Online(); now.Count() != n-gone.Count() {
			return fmt.Errorf("round %d: without %v, %v are online", round, &gone, &now)
		}
		if err := nobodyRunsOn(&gone); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		if err := set(&gone, true); err != nil {
			return err
		}
		if err := everyoneIsHome(); err != nil {
			return fmt.Errorf("round %d, CPUs %v back: %w", round, &gone, err)
		}
	}
	fmt.Printf("online rounds=%d turns=%v\n", rounds, turns())
	return nil
}

func set(cpus *sys.Mask, online bool) error {
	for cpu := cpus.First(); cpu >= 0; cpu = cpus.Next(cpu) {
		if err := sys.SetOnline(cpu, online); err != nil {
			return err
		}
	}
	return nil
}

// nobodyRunsOn waits until every thread has got on twice, so that what it saw before
// is past, and then once more, in which none may have been on a CPU of gone.
func nobodyRunsOn(gone *sys.Mask) error {
	if err := everyoneGetsOn(2); err != nil {
		return err
	}
	before := ranOn(gone)
	if err := everyoneGetsOn(2); err != nil {
		return err
	}
	if n := ranOn(gone) - before; n != 0 {
		return fmt.Errorf("%d turns were made on %v, which are offline", n, gone)
	}
	return nil
}

func ranOn(cpus *sys.Mask) (n int64) {
	for cpu := cpus.First(); cpu >= 0; cpu = cpus.Next(cpu) {
		n += ran[cpu].Load()
	}
	return n
}

// everyoneGetsOn waits until each thread has made so many turns more.
func everyoneGetsOn(more int64) error {
	before := turns()
	return await(func() error {
		for i, w := range workers {
			if w.turns.Load() < before[i]+more {
				return fmt.Errorf("%s of CPU %d stands still", w.name, w.pin)
			}
		}
		return nil
	})
}

// everyoneIsHome waits until each thread that is pinned has been seen at home.
func everyoneIsHome() error {
	return await(func() error {
		for _, w := range workers {
			if on := int(w.on.Load()); w.pin >= 0 && on != w.pin {
				return fmt.Errorf("%s of CPU %d stays on CPU %d", w.name, w.pin, on)
			}
		}
		return nil
	})
}

// await asks again and again until it holds.
func await(hold func() error) error {
	for end := sys.Now() + patience; ; time.Sleep(100 * time.Microsecond) {
		err := hold()
		if err == nil || sys.Now() > end {
			return err
		}
	}
}

func turns() []int64 {
	all := make([]int64, len(workers))
	for i, w := range workers {
		all[i] = w.turns.Load()
	}
	return all
}

// refusals are the calls that must change nothing.
func refusals() error {
	all := sys.Online()
	if err := sys.SetOnline(all.Count(), false); !errors.Is(err, syscall.EINVAL) {
		return fmt.Errorf("a CPU that is not there: %v", err)
	}
	for cpu := all.First() + 1; cpu < all.Count(); cpu++ {
		if err := sys.SetOnline(cpu, false); err != nil {
			return err
		}
	}
	if err := sys.SetOnline(0, false); !errors.Is(err, syscall.EBUSY) {
		return fmt.Errorf("the last CPU: %v", err)
	}
	return set(&all, true)
}
