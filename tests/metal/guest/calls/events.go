package main

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"

	"hearth/sys"
)

const (
	epollAdd, epollRemove = 1, 2
	epollReadable         = 1
	nonBlocking           = 0x800
)

// watched is an event counter in an epoll instance.
type watched struct{ counter, epoll uintptr }

// event is Linux's packed structure: what happened, and two words of ours.
type event [3]uint32

const data0, data1 = 0x11111111, 0x22222222

func newWatched() (watched, error) {
	counter, _, errno := syscall.Syscall(syscall.SYS_EVENTFD2, 0, nonBlocking, 0)
	if errno != 0 {
		return watched{}, is("eventfd2", errno, 0)
	}
	epoll, _, errno := syscall.Syscall(syscall.SYS_EPOLL_CREATE1, 0, 0, 0)
	if errno != 0 {
		return watched{}, is("epoll_create1", errno, 0)
	}
	w := watched{counter, epoll}
	return w, is("epoll_ctl", w.control(epollAdd), 0)
}

func (w watched) control(operation uintptr) syscall.Errno {
	e := event{epollReadable, data0, data1}
	_, _, errno := syscall.Syscall6(syscall.SYS_EPOLL_CTL, w.epoll, operation, w.counter, uintptr(unsafe.Pointer(&e)), 0, 0)
	return errno
}

func (w watched) close() {
	_ = syscall.Close(int(w.counter))
	_ = syscall.Close(int(w.epoll))
}

func (w watched) add(n uint64) error {
	_, _, errno := syscall.Syscall(syscall.SYS_WRITE, w.counter, uintptr(unsafe.Pointer(&n)), 8)
	return is("write to the counter", errno, 0)
}

func (w watched) take() (n uint64, errno syscall.Errno) {
	_, _, errno = syscall.Syscall(syscall.SYS_READ, w.counter, uintptr(unsafe.Pointer(&n)), 8)
	return n, errno
}

// wait demands that so many events are ready, or that none comes in time.
func (w watched) wait(milliseconds, want int) error {
	var list [4]event
	n, _, errno := syscall.Syscall6(syscall.SYS_EPOLL_PWAIT, w.epoll, uintptr(unsafe.Pointer(&list)), uintptr(len(list)), uintptr(milliseconds), 0, 0)
	if errno != 0 || int(n) != want {
		return fmt.Errorf("epoll_pwait: %d events, %v, want %d", n, errno, want)
	}
	if want == 1 && list[0] != (event{epollReadable, data0, data1}) {
		return fmt.Errorf("epoll_pwait: event %#x", list[0])
	}
	return nil
}

func levelTriggered() error {
	w, err := newWatched()
	if err != nil {
		return err
	}
	defer w.close()
	if err := first(w.wait(0, 0), w.add(2), w.add(3), w.wait(0, 1), w.wait(0, 1), w.wait(-1, 1)); err != nil {
		return err
	}
	n, errno := w.take()
	if n != 5 || errno != 0 {
		return fmt.Errorf("the counter reads %d, %v", n, errno)
	}
	_, errno = w.take()
	return first(w.wait(0, 0), is("read of an empty counter", errno, syscall.EAGAIN), w.add(1), w.wait(0, 1))
}

func epollTimeout() error {
	w, err := newWatched()
	if err != nil {
		return err
	}
	defer w.close()
	for milliseconds := 1; milliseconds <= 32; milliseconds *= 2 {
		start := time.Now()
		if err := w.wait(milliseconds, 0); err != nil {
			return err
		}
		if took := time.Since(start); took < time.Duration(milliseconds)*time.Millisecond {
			return fmt.Errorf("a wait of %d ms took %v", milliseconds, took)
		}
	}
	return nil
}

// epollWoken waits without bound, and nothing but the write can end it.
func epollWoken() error {
	w, err := newWatched()
	if err != nil {
		return err
	}
	defer w.close()
	for range 20 {
		var added error
		t, err := sys.Spawn(func() {
			time.Sleep(time.Millisecond)
			added = w.add(1)
		})
		if err != nil {
			return err
		}
		waited := w.wait(-1, 1)
		if _, err := t.Join(); err != nil {
			return err
		}
		if _, errno := w.take(); errno != 0 {
			return is("read", errno, 0)
		}
		if err := first(waited, added); err != nil {
			return err
		}
	}
	return nil
}

func epollRemoved() error {
	w, err := newWatched()
	if err != nil {
		return err
	}
	defer w.close()
	return first(
		is("a second add", w.control(epollAdd), syscall.EEXIST),
		w.add(1), w.wait(0, 1),
		is("remove", w.control(epollRemove), 0), w.wait(0, 0), w.wait(1, 0),
		is("add", w.control(epollAdd), 0), w.wait(0, 1))
}
