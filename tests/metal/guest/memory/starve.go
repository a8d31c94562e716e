package main

import (
	"fmt"
	"syscall"
	"unsafe"
)

// useItAll touches more than there is. It does not return.
func useItAll() (string, error) {
	for {
		s, err := mapped(0, 8<<20, readWrite, 0)
		if err != nil {
			return "", err
		}
		s.fill()
	}
}

// bufferInNothing has the kernel write into the last page that there would have been:
// the program itself touches nothing any more.
func bufferInNothing() (string, error) {
	s, err := mapped(0, uintptr(use().Total), readWrite, 0)
	if err != nil {
		return "", err
	}
	at := s.at
	for ; use().Free > 80*page; at += page {
		*word(at) = 1
	}
	fmt.Println("the rest is the kernel's to write")
	for ; ; at += page {
		if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 1, at, 0); errno != 0 {
			return "", errno
		}
		sink += uint64(*(*byte)(unsafe.Pointer(&at)))
	}
}

// cloneWaiter makes a context that waits on a word that nobody changes, and returns
// its number or a negative error number.
//
//go:noescape
func cloneWaiter(word *uint32) int

var never uint32

// cloneInNothing starts contexts until the kernel has no memory for one more, which
// must be answered, and then goes on.
func cloneInNothing() (string, error) {
	s, err := mapped(0, uintptr(use().Total), readWrite, 0)
	if err != nil {
		return "", err
	}
	for at := s.at; use().Free > 300*page; at += page {
		*word(at) = 1
	}
	n, made := 0, cloneWaiter(&never)
	for ; made > 0; made = cloneWaiter(&never) {
		n++
	}
	if err := s.unmap(); err != nil {
		return "", err
	}
	if errno := syscall.Errno(-made); errno != syscall.ENOMEM && errno != syscall.EAGAIN {
		return "", fmt.Errorf("clone %d: %w", n, errno)
	}
	if n < 10 || n > 300 {
		return "", fmt.Errorf("%d clones in 300 pages", n)
	}
	return fmt.Sprint(n, " clones"), nil
}
