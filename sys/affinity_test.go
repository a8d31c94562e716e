package sys

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// onlineCPUs are those that this process may use.
func onlineCPUs() []int {
	m := Online()
	m.And(&processMask)
	var cpus []int
	for c := m.First(); c >= 0; c = m.Next(c) {
		cpus = append(cpus, c)
	}
	return cpus
}

func TestPinnedThreadRunsOnItsCPUOnly(t *testing.T) {
	var ids []Thread
	for range 4 {
		for _, cpu := range onlineCPUs() {
			mask := MaskOf(cpu)
			ids = append(ids, start(t, Options{Mask: &mask}, func() {
				for range 200 {
					if at := CurrentCPU(); at != cpu {
						t.Errorf("pinned to CPU %d, runs on %d", cpu, at)
					}
					Yield()
				}
			}))
		}
	}
	mustJoin(t, ids...)
}

func TestSetAffinityMovesARunningThreadAndACallerItself(t *testing.T) {
	cpus := onlineCPUs()
	var at atomic.Int64
	var stop atomic.Bool
	id := start(t, Options{}, func() {
		for !stop.Load() {
			at.Store(int64(CurrentCPU()))
			Yield()
		}
	})
	for i := range 10 {
		cpu := cpus[i%len(cpus)]
		mask := MaskOf(cpu)
		if err := id.SetAffinity(&mask); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the thread runs where it was sent", func() bool { return at.Load() == int64(cpu) })
		if got, err := id.Affinity(); got != mask || err != nil {
			t.Errorf("affinity %v, %v; want %v", &got, err, &mask)
		}
		run(t, Options{}, func() {
			if err := Thread(0).SetAffinity(&mask); err != nil || CurrentCPU() != cpu {
				t.Errorf("moved itself to CPU %d, runs on %d: %v", cpu, CurrentCPU(), err)
			}
			if got, err := Thread(0).Affinity(); got != mask || err != nil {
				t.Errorf("own affinity %v, %v; want %v", &got, err, &mask)
			}
		})
	}
	stop.Store(true)
	mustJoin(t, id)
}

func TestSetAffinityNamesWhatItRefuses(t *testing.T) {
	var g gate
	id := start(t, Options{}, g.wait)
	far, online := MaskOf(1023), Online()
	err := id.SetAffinity(&far)
	want := fmt.Sprintf("sys: set affinity: thread %d: affinity mask {1023} holds no online CPU; online: %v", id, &online)
	if err == nil || err.Error() != want || !errors.Is(err, syscall.EINVAL) {
		t.Errorf("%v, want %s", err, want)
	}
	g.open()
	mustJoin(t, id)
	if err := id.SetAffinity(&online); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("a joined thread: %v", err)
	}
	if _, err := id.Affinity(); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("affinity of a joined thread: %v", err)
	}
	if _, err := id.Status(); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("status of a joined thread: %v", err)
	}
}

// osName is the calling OS thread's name as the kernel shows it.
func osName(t *testing.T) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/comm", gettid()))
	if err != nil {
		t.Error(err)
	}
	return strings.TrimSpace(string(text))
}

// The reserve is a stack: the next thread gets the carrier of the one before.
func TestReusedCarrierCarriesNothingOfItsLastTenant(t *testing.T) {
	cpu := onlineCPUs()[0]
	mask := MaskOf(cpu)
	var first, second int32
	run(t, Options{Mask: &mask, Name: "tenant", Class: Background}, func() {
		first = gettid()
		if name := osName(t); name != "tenant" {
			t.Errorf("the name is %q", name)
		}
		if policy := policyOf(t); policy != 5 {
			t.Errorf("background is policy %d, want SCHED_IDLE", policy)
		}
	})
	run(t, Options{}, func() {
		second = gettid()
		checkPlain(t)
	})
	run(t, Options{}, func() { Thread(0).SetAffinity(&mask) })
	run(t, Options{}, func() { checkPlain(t) })
	if first != second && policyCanBeLeft() {
		t.Errorf("the carriers were OS threads %d and %d: nothing was reused", first, second)
	}
}

func checkPlain(t *testing.T) {
	t.Helper()
	if got, err := Thread(0).Affinity(); got != processMask || err != nil {
		t.Errorf("affinity %v, %v; want the process's, %v", &got, err, &processMask)
	}
	if name := osName(t); name != processName {
		t.Errorf("name %q, want the process's, %q", name, processName)
	}
	if policy := policyOf(t); policy != 0 {
		t.Errorf("scheduling policy %d, want 0", policy)
	}
}

func policyOf(t *testing.T) int {
	policy, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETSCHEDULER, 0, 0, 0)
	if errno != 0 {
		t.Error(errno)
	}
	return int(policy)
}

// policyCanBeLeft tries whether this process may leave SCHED_IDLE, on an OS thread
// that ends with its goroutine.
func policyCanBeLeft() bool {
	left := make(chan bool)
	go func() {
		runtime.LockOSThread()
		left <- setClass(0, Background) == 0 && setClass(0, Fair) == 0
	}()
	return <-left
}

func TestStatusTellsWhereAThreadIs(t *testing.T) {
	cpu := onlineCPUs()[0]
	mask := MaskOf(cpu)
	var g gate
	id := start(t, Options{Mask: &mask, Class: Background}, g.wait)
	eventually(t, "the thread sleeps at home", func() bool {
		s, err := id.Status()
		return err == nil && s.State == Blocked && s.Home == cpu && s.Class == Background
	})
	g.open()
	eventually(t, "the thread has ended", func() bool { s, _ := id.Status(); return s.State == Exited && s.Home == -1 })
	mustJoin(t, id)
}
