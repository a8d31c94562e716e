package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"hearth/sys"
)

func lockedEnd(*sync.WaitGroup) {
	runtime.LockOSThread()
	time.Sleep(time.Millisecond)
}

// timers keeps the runtime's timers and its poller busy.
func timers(n int) error {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { time.Sleep(time.Duration(i%7) * 100 * time.Microsecond) })
	}
	wg.Wait()
	return nil
}

// events has every thread wait for one event, which one write brings about.
func events(n int) error {
	counter, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_NONBLOCK, 0)
	if errno != 0 {
		return errno
	}
	epoll, err := syscall.EpollCreate1(0)
	if err != nil {
		return err
	}
	watch := syscall.EpollEvent{Events: syscall.EPOLLIN}
	if err := syscall.EpollCtl(epoll, syscall.EPOLL_CTL_ADD, int(counter), &watch); err != nil {
		return err
	}
	var seen atomic.Int32
	c, err := gather(n, func(*crowd) {
		var events [1]syscall.EpollEvent
		if got, err := syscall.EpollWait(epoll, events[:], -1); got == 1 && err == nil {
			seen.Add(1)
		}
	})
	if err != nil {
		return err
	}
	one := uint64(1)
	if _, _, errno := syscall.Syscall(syscall.SYS_WRITE, counter, uintptr(unsafe.Pointer(&one)), 8); errno != 0 {
		return errno
	}
	if err := c.join(); err != nil || int(seen.Load()) != n {
		return fmt.Errorf("%d of %d saw the event: %v", seen.Load(), n, err)
	}
	return first(syscall.Close(int(counter)), syscall.Close(epoll))
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

var kept [][]byte

// collector grows the heap, collects, preempts and gives memory back.
func collector(n int) error {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range n {
				if piece := make([]byte, 16<<10); i%64 == 0 {
					sys.Yield()
					_ = piece
				}
			}
		})
	}
	for range 3 {
		kept = append(kept, make([]byte, 8<<20))
		runtime.GC()
	}
	wg.Wait()
	kept = nil
	runtime.GC()
	return nil
}

// console writes more at once than one entry may.
func console(int) error {
	_, err := fmt.Fprintln(os.Stdout, strings.Repeat("a long line ", 200))
	return err
}
