package main

import (
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"hearth/sys"
)

// words are what the threads of waitForWords wait on.
var words [2]uint32

// waitForWords makes two threads wait on each other's words.
func waitForWords([]int) {
	words = [2]uint32{11, 22}
	left := spawn("left", func() { sys.FutexWait(&words[0], 11, sys.Forever) })
	spawn("right", func() { sys.FutexWait(&words[1], 22, sys.Forever) })
	fmt.Println("joined:", join(left))
}

// waitForWord makes a goroutine without a thread of its own wait for good.
func waitForWord([]int) {
	words[0] = 4711
	sys.FutexWait(&words[0], 4711, sys.Forever)
}

// waitForEachOther makes two threads wait for each other's end.
func waitForEachOther([]int) {
	var first, second atomic.Int32
	meet := func(name string, mine, other *atomic.Int32) sys.Thread {
		return spawn(name, func() {
			mine.Store(int32(sys.Self()))
			for other.Load() == 0 {
				sys.Yield()
			}
			join(sys.Thread(other.Load()))
		})
	}
	meet("first", &first, &second)
	meet("second", &second, &first)
	select {}
}

func spawn(name string, fn func()) sys.Thread {
	t, err := sys.SpawnWith(sys.Options{Name: name}, fn)
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	return t
}

func join(t sys.Thread) error {
	_, err := t.Join()
	return err
}

//go:noinline
func hang() {
	fmt.Println("hanging")
	for {
		atomic.AddUint32(&words[0], 1) // stands: hanging
	}
}

// closed stops CPU 0 in a program, with interrupts off, and has another say so.
func closed([]int) {
	pin := func(t sys.Thread, cpu int) {
		mask := sys.MaskOf(cpu)
		if err := t.SetAffinity(&mask); err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
	}
	var ready atomic.Bool
	spawn("herald", func() {
		pin(sys.Self(), runtime.NumCPU()-1)
		ready.Store(true)
		for atomic.LoadUint32(&words[0]) == 0 {
		}
		for start := sys.TSC(); sys.TSC()-start < 100e6; { // CPU 0 has got there
		}
		fmt.Println("closed")
	})
	runtime.LockOSThread()
	pin(0, 0)
	for !ready.Load() {
		sys.Yield()
	}
	atomic.StoreUint32(&words[0], 1)
	stopInterrupts()
}

// stopInterrupts goes round in a loop that no interrupt reaches.
func stopInterrupts()

// giveUp takes the CPU's gates away and raises an exception: a triple fault.
func giveUp()

// writeMapAtOnce has two goroutines write to one map, which the runtime notices sooner
// or later.
func writeMapAtOnce() {
	m := map[int]int{}
	write := func() {
		for i := 0; ; i++ {
			m[i%100] = i
		}
	}
	go write()
	write()
}

// fillTable spawns until that is refused, joins what there is and says how many
// there were.
func fillTable([]int) {
	var made []sys.Thread
	for {
		t, err := sys.Spawn(func() {})
		if err == nil && len(made) < 5000 {
			made = append(made, t)
			continue
		}
		fmt.Printf("%d threads, then: %v, EAGAIN %v\n", len(made), err, err == nil || err.(*sys.Error).Errno == syscall.EAGAIN)
		break
	}
	for _, t := range made {
		if err := join(t); err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
	}
}

// work makes two threads hand a token to and fro, by futex and by sleeping, and
// counts how often it came.
func work(a []int) {
	const rounds = 200
	var token uint32
	turn := func(mine uint32) func() {
		return func() {
			for i := range rounds {
				for {
					value := atomic.LoadUint32(&token)
					if value%2 == mine {
						break
					}
					sys.FutexWait(&token, value, sys.Forever)
				}
				if i%20 == 0 {
					time.Sleep(100 * time.Microsecond)
				}
				atomic.AddUint32(&token, 1)
				sys.FutexWake(&token, 1)
			}
		}
	}
	ping, pong := spawn("ping", turn(0)), spawn("pong", turn(1))
	fmt.Println(join(ping), join(pong), "token", token)
}

// naps counts sleeps of a millisecond that take ten or more.
func naps([]int) {
	const all = 10
	late := 0
	for range all {
		start := time.Now()
		time.Sleep(time.Millisecond)
		if time.Since(start) >= 10*time.Millisecond {
			late++
		}
	}
	fmt.Println("late", late, "of", all)
}

// spin keeps every CPU busy for some tenths of a second, without a system call of
// its own and without a pause.
func spin(a []int) {
	ticks := uint64(a[0]) * ticksPerSecond() / 10
	var made []sys.Thread
	for cpu := range runtime.NumCPU() {
		mask := sys.MaskOf(cpu)
		t, err := sys.SpawnWith(sys.Options{Mask: &mask}, func() {
			for start := sys.TSC(); sys.TSC()-start < ticks; {
				for i := range 10000 {
					sink = i
				}
			}
		})
		if err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
		made = append(made, t)
	}
	for _, t := range made {
		join(t)
	}
	fmt.Println("span for", a[0], "tenths of a second on each CPU")
}

var sink int

var _ = &sink // is only written to

func ticksPerSecond() uint64 {
	info, err := sys.ReadInfo()
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	return info.TSCHz
}

// crowd makes many threads wait for good on one word, and leaves carriers behind:
// those of threads that end after the last spawn, which would take theirs.
func crowd(a []int) {
	for range a[0] {
		spawn("", func() { sys.FutexWait(&words[0], 0, sys.Forever) })
	}
	var ended []sys.Thread
	for range 5 {
		ended = append(ended, spawn("", func() { sys.FutexWait(&words[1], 0, sys.Forever) }))
	}
	atomic.StoreUint32(&words[1], 1)
	sys.FutexWake(&words[1], len(ended))
	for _, t := range ended {
		join(t)
	}
	select {}
}

// asleep waits for a thread that sleeps for some seconds in a wait with a timeout.
func asleep(a []int) {
	join(spawn("sleeper", func() { sys.FutexWait(&words[0], 0, time.Duration(a[0])*time.Second) }))
	fmt.Println("woke")
}

// dozes waits for a thread that sleeps again and again, a tenth of a second each.
func dozes(a []int) {
	join(spawn("dozer", func() {
		for range a[0] {
			sys.FutexWait(&words[0], 0, 100*time.Millisecond)
		}
	}))
	fmt.Println("woke")
}

// timer waits for a thread that a timer of the Go runtime wakes.
func timer(a []int) {
	t := spawn("woken", func() { sys.FutexWait(&words[0], 0, sys.Forever) })
	time.AfterFunc(time.Duration(a[0])*time.Second, func() {
		atomic.StoreUint32(&words[0], 1)
		sys.FutexWake(&words[0], 1)
	})
	join(t)
	fmt.Println("woke")
}

// eat uses so many MiB of memory.
func eat(a []int) {
	var all [][]byte
	for range a[0] {
		piece := make([]byte, 1<<20)
		for at := 0; at < len(piece); at += 4096 {
			piece[at] = 1
		}
		all = append(all, piece)
	}
	fmt.Println("ate", len(all), "MiB")
}
