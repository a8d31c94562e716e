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
