package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hearth/sys"
)

// goroutinesUnderGC runs 64 goroutines that allocate and check their own
// memory while another forces collections.
func goroutinesUnderGC() (string, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var bad atomic.Int64
	var all sync.WaitGroup
	for g := range 64 {
		all.Go(func() {
			for i := range 200 {
				if !chainHolds(byte(g), 4+i%60) {
					bad.Add(1)
				}
			}
		})
	}
	for range 4 {
		runtime.GC()
	}
	all.Wait()
	runtime.ReadMemStats(&after)
	if bad.Load() != 0 {
		return "", fmt.Errorf("%d chains lost their content", bad.Load())
	}
	return fmt.Sprint(after.NumGC-before.NumGC, " collections"), nil
}

type link struct {
	next *link
	fill [100]byte
}

// chainHolds builds a chain of n links filled with a byte and reads it back.
func chainHolds(fill byte, n int) bool {
	var head *link
	for range n {
		l := &link{next: head}
		for i := range l.fill {
			if l.fill[i] != 0 {
				return false
			}
			l.fill[i] = fill
		}
		head = l
	}
	for l := head; l != nil; l = l.next {
		if l.fill[0] != fill || l.fill[99] != fill {
			return false
		}
	}
	return true
}

// freedMemoryIsZero grows the heap, gives it back to the kernel and grows it
// again: what comes back must read as zero.
func freedMemoryIsZero() (string, error) {
	const block, blocks = 1 << 20, 32
	for round := range 3 {
		held := make([][]byte, blocks)
		for i := range held {
			held[i] = make([]byte, block)
			for j := 0; j < block; j += 512 {
				if held[i][j] != 0 {
					return "", fmt.Errorf("round %d: a fresh byte is %d", round, held[i][j])
				}
				held[i][j] = 0xff
			}
		}
		runtime.KeepAlive(held)
		held = nil
		debug.FreeOSMemory()
	}
	return fmt.Sprint(blocks, " MiB three times"), nil
}

// tries is how often a tight loop is preempted by each of the two ways.
const tries = 20

// tightLoopStopped measures how long a stop of the world waits for goroutines
// that never call anything: only a signal reaches them. Where there are CPUs
// enough, one is left to whoever stops them; with a bound there is just one loop.
func tightLoopStopped() (string, error) {
	loops := max(1, runtime.NumCPU()-1)
	if within > 0 {
		loops = 1
	}
	var stats runtime.MemStats
	return againstLoops(loops, func() time.Duration {
		time.Sleep(time.Millisecond)
		start := time.Now()
		runtime.ReadMemStats(&stats)
		return time.Since(start)
	})
}

// tightLoopGivesWay measures how long a goroutine whose time has come waits for
// the only P, which a tight loop has.
func tightLoopGivesWay() (string, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	return againstLoops(1, func() time.Duration {
		const sleep = time.Millisecond
		start := time.Now()
		time.Sleep(sleep)
		return time.Since(start) - sleep
	})
}

// againstLoops measures over and over while so many tight loops run, and holds
// the measurements against the bound: the longest one on one CPU, the median on
// several, where QEMU, which has one CPU of the host for all of them when it counts
// instructions, lets the loop run on for 27 ms at a time while a CPU that was kicked
// waits for its turn.
func againstLoops(loops int, measure func() time.Duration) (string, error) {
	var stop atomic.Bool
	var all sync.WaitGroup
	for range loops {
		all.Go(func() {
			if within > 0 {
				keepToLastCPU()
			}
			for !stop.Load() {
			}
		})
	}
	waits := make([]time.Duration, tries)
	for i := range waits {
		waits[i] = measure()
	}
	stop.Store(true)
	all.Wait()
	slices.Sort(waits)
	name, judged := "longest", waits[tries-1]
	if runtime.NumCPU() > 1 {
		name, judged = "median", waits[tries/2]
	}
	if within > 0 && judged > within {
		return "", fmt.Errorf("the %s of %d waits was %v, the bound is %v", name, tries, judged, within)
	}
	return fmt.Sprintf("%d times, the %s wait %d us", tries, name, judged.Microseconds()), nil
}

// keepToLastCPU binds the calling goroutine to the last CPU. QEMU before 8.1,
// counting instructions, runs the CPUs in turn up to the next timer and then
// begins with the first again: behind a CPU that spins no other has a turn.
func keepToLastCPU() {
	runtime.LockOSThread() // never unlocked: the thread ends with its mask
	mask := sys.MaskOf(runtime.NumCPU() - 1)
	if err := sys.Thread(0).SetAffinity(&mask); err != nil {
		panic(err)
	}
}

// sleepNeverEarly sleeps for many lengths, alone and together.
func sleepNeverEarly() (string, error) {
	var early, late atomic.Int64
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 12 {
				want := time.Duration(1+(g*12+i)*37) * time.Microsecond
				start := time.Now()
				time.Sleep(want)
				over := time.Since(start) - want
				if over < 0 {
					early.Add(1)
				}
				if over := over.Microseconds(); over > late.Load() {
					late.Store(over)
				}
			}
		})
	}
	all.Wait()
	if early.Load() != 0 {
		return "", fmt.Errorf("%d of 96 sleeps ended early", early.Load())
	}
	return fmt.Sprint("latest by ", late.Load(), " us"), nil
}

// sha256Right hashes a known text: the code that does it depends on what CPUID
// claims that the CPU can do.
func sha256Right() (string, error) {
	const want = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" // FIPS 180-2, B.2
	sum := sha256.Sum256([]byte("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))
	if got := hex.EncodeToString(sum[:]); got != want {
		return "", errors.New("got " + got)
	}
	return "", nil
}
