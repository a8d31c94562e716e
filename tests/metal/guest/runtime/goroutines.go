package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
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

// stops is how often the world is stopped against the tight loops.
const stops = 20

// tightLoopPreempted measures how long a stop of the world waits for goroutines
// that never call anything: only a signal reaches them.
func tightLoopPreempted() (string, error) {
	var stop atomic.Bool
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for !stop.Load() {
			}
		})
	}
	var longest time.Duration
	var stats runtime.MemStats
	for range stops {
		time.Sleep(time.Millisecond)
		start := time.Now()
		runtime.ReadMemStats(&stats)
		longest = max(longest, time.Since(start))
	}
	stop.Store(true)
	all.Wait()
	if within > 0 && longest > within {
		return "", fmt.Errorf("the longest of %d stops took %v, the bound is %v", stops, longest, within)
	}
	return fmt.Sprintf("%d stops, the longest in %d us", stops, longest.Microseconds()), nil
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
