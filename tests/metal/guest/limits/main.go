// Command limits is the guest of large machines: it runs a thread on every CPU, lets
// a word go round all of them, and uses as much memory as it is told. It prints a
// line a claim, `claim NAME ok` or `claim NAME FAILED why`, and ends with code 1 if
// one failed. Arguments: touch=MIB, the memory to use; or tell, to make only the
// calls that tell of all CPUs, and print how long the kernel was entered for each.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	_ "hearth/kernel"
	"hearth/sys"
)

var claims = []struct {
	name  string
	check func() error
}{
	{"a_word_goes_round_all_cpus", wordGoesRound},
	{"memory_keeps_what_is_written", memoryKeeps},
}

var touch = 1

func main() {
	for _, arg := range os.Args[1:] {
		if arg == "tell" {
			continue
		}
		value, found := strings.CutPrefix(arg, "touch=")
		n, err := strconv.Atoi(value)
		if !found || err != nil || n < 1 {
			fmt.Fprintf(os.Stderr, "%q is neither touch=MIB nor tell\n", arg)
			os.Exit(2)
		}
		touch = n
	}
	info, err := sys.ReadInfo()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("limits: boot took", int64(info.BootTook), "memory", info.Memory>>20)
	if len(os.Args) > 1 && os.Args[1] == "tell" {
		tell()
		return
	}
	failed := false
	for _, c := range claims {
		if err := c.check(); err != nil {
			failed = true
			fmt.Println("claim", c.name, "FAILED", err)
			continue
		}
		fmt.Println("claim", c.name, "ok")
	}
	if failed {
		os.Exit(1)
	}
}

// tell prints a line `entry COUNT LONGEST NAME` for every purpose that the kernel was
// entered for.
func tell() {
	topology, err := sys.ReadTopology()
	if err == nil {
		_, err = sys.ReadStats()
	}
	if err == nil {
		_, _, err = sys.ReadClockOffsets()
	}
	all, failed := sys.ReadEntryLengths()
	if err = errors.Join(err, failed); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for _, l := range all {
		fmt.Println("entry", l.Count, l.Longest.Nanoseconds(), l.Name)
	}
	for i, c := range topology.CPUs {
		if c.ID != i || c.APICID != uint32(i) || c.Core != i {
			fmt.Printf("CPU %d is told to be %+v\n", i, c)
			os.Exit(1)
		}
	}
}

// wordGoesRound pins a thread to each CPU; each waits for its turn and wakes the
// next, twice round. A CPU that no interrupt reaches stops the word.
func wordGoesRound() error {
	online := sys.Online()
	n := online.Count()
	defer sys.RaiseProcs(n + 2)()
	turns := make([]uint32, n+1)
	var astray atomic.Int64
	var threads []sys.Thread
	for place, cpu := 0, online.First(); cpu >= 0; place, cpu = place+1, online.Next(cpu) {
		mask := sys.MaskOf(cpu)
		t, err := sys.SpawnWith(sys.Options{Mask: &mask}, func() {
			for round := uint32(1); round <= 2; round++ {
				for atomic.LoadUint32(&turns[place]) < round {
					if err := sys.FutexWait(&turns[place], round-1, time.Minute); errors.Is(err, sys.ErrTimeout) {
						astray.Add(1)
					}
				}
				if sys.CurrentCPU() != cpu {
					astray.Add(1)
				}
				next := (place + 1) % n
				if next == 0 {
					next = n // the end of a round
				}
				atomic.AddUint32(&turns[next], 1)
				sys.FutexWake(&turns[next], 1)
			}
		})
		if err != nil {
			return err
		}
		threads = append(threads, t)
	}
	for round := uint32(1); round <= 2; round++ {
		atomic.StoreUint32(&turns[0], round)
		sys.FutexWake(&turns[0], 1)
		for atomic.LoadUint32(&turns[n]) < round {
			sys.FutexWait(&turns[n], round-1, time.Minute)
		}
	}
	for _, t := range threads {
		if _, err := t.Join(); err != nil {
			return err
		}
	}
	if astray.Load() != 0 {
		return fmt.Errorf("%d waits in vain or turns on another CPU", astray.Load())
	}
	return nil
}

// memoryKeeps writes to every page what only that page has, and reads it again.
func memoryKeeps() error {
	bytes, err := syscall.Mmap(-1, 0, touch<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return err
	}
	const page = 4096
	for at := 0; at < len(bytes); at += page {
		if bytes[at] != 0 || bytes[at+page-1] != 0 {
			return fmt.Errorf("fresh page %d is not zero", at/page)
		}
		for i := range 4 {
			bytes[at+i] = byte(at / page >> (8 * i))
		}
	}
	for at := 0; at < len(bytes); at += page {
		for i := range 4 {
			if bytes[at+i] != byte(at/page>>(8*i)) {
				return fmt.Errorf("page %d holds what is another's", at/page)
			}
		}
	}
	return syscall.Munmap(bytes)
}
