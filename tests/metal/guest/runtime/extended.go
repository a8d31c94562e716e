package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"hearth/sys"
)

// holdVectors fills the sixteen YMM registers from a seed, spins for a number
// of rounds, and returns how many of their 64 lanes changed. It calls nothing,
// so only preemption can come between.
//
//go:noescape
func holdVectors(seed uint64, rounds int) (bad int)

// setMXCSR and getMXCSR write and read the SSE control word; x87 likewise.
func setMXCSR(value uint32)
func getMXCSR() uint32
func setControl(value uint16)
func getControl() uint16

func hasAVX2() bool

// wantPreemptions is how many preemptions the vectors must have survived.
const wantPreemptions = 10_000

// vectorsSurvive runs more spinning threads than CPUs, each with lanes of its
// own, until the kernel has preempted often enough.
func vectorsSurvive() (string, error) {
	if !hasAVX2() {
		return "", errors.New("the CPU model has no AVX2")
	}
	defer sys.RaiseProcs(4*runtime.NumCPU() + 4)()
	var bad, rounds atomic.Int64
	var stop atomic.Bool
	before := preemptions()
	threads, err := startDisturbers(&stop)
	if err != nil {
		return "", err
	}
	for i := range 2*runtime.NumCPU() + 1 {
		t, err := sys.Spawn(func() {
			for k := uint64(0); !stop.Load(); k++ {
				bad.Add(int64(holdVectors(uint64(i)<<32|k, 20_000)))
				rounds.Add(1)
			}
		})
		if err != nil {
			return "", err
		}
		threads = append(threads, t)
	}
	for preemptions()-before < wantPreemptions {
		time.Sleep(time.Millisecond)
	}
	stop.Store(true)
	for _, t := range threads {
		if _, err := t.Join(); err != nil {
			return "", err
		}
	}
	if bad.Load() != 0 {
		return "", fmt.Errorf("%d lanes changed", bad.Load())
	}
	return fmt.Sprint(preemptions()-before, " preemptions, ", rounds.Load(), " rounds"), nil
}

// startDisturbers spawns a real-time thread for each CPU that sleeps 50 us over
// and over: each time it wakes, it preempts what runs there.
func startDisturbers(stop *atomic.Bool) ([]sys.Thread, error) {
	var threads []sys.Thread
	for id := range runtime.NumCPU() {
		var mask sys.Mask
		mask.Set(id)
		t, err := sys.SpawnWith(sys.Options{Class: sys.RealTime, Mask: &mask}, func() {
			var word uint32
			for !stop.Load() {
				sys.FutexWait(&word, 0, 50*time.Microsecond)
			}
		})
		if err != nil {
			return nil, err
		}
		threads = append(threads, t)
	}
	return threads, nil
}

// preemptions returns the machine's count since boot.
func preemptions() uint64 {
	s, err := sys.ReadStats()
	if err != nil {
		panic(err)
	}
	return s.Preemptions
}

// mxcsrSurvives sets rounding modes of its own on several threads and checks
// them after switches that each thread asks for.
func mxcsrSurvives() (string, error) {
	modes := []uint32{0x1f80, 0x3f80, 0x5f80, 0x7f80} // nearest, down, up, to zero
	controls := []uint16{0x37f, 0x77f, 0xb7f, 0xf7f}
	var bad atomic.Int64
	var all sync.WaitGroup
	for i, mode := range modes {
		all.Go(func() {
			runtime.LockOSThread() // never unlocked: the thread ends with its modes
			setMXCSR(mode)
			setControl(controls[i])
			for range 500 {
				sys.Yield()
				if getMXCSR()&^0x3f != mode || getControl() != controls[i] {
					bad.Add(1)
				}
			}
		})
	}
	all.Wait()
	if bad.Load() != 0 {
		return "", fmt.Errorf("%d of 2,000 reads found another thread's controls", bad.Load())
	}
	if math.Sqrt(2)*math.Sqrt(2) == 2 {
		return "", errors.New("the main thread's rounding changed")
	}
	return "2000 yields", nil
}
