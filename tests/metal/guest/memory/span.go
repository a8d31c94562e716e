package main

import (
	"fmt"
	"runtime/debug"
	"syscall"
	"unsafe"
)

const (
	page  = 4 << 10
	block = 2 << 20 // a large page

	fixed     = 0x10
	noReplace = 0x100000
	dontNeed  = 4
	free      = 8

	none      = syscall.PROT_NONE
	readOnly  = syscall.PROT_READ
	readWrite = syscall.PROT_READ | syscall.PROT_WRITE
)

// span is a stretch of addresses that the Go runtime knows nothing of.
type span struct{ at, length uintptr }

// mapped maps anonymous memory.
func mapped(at, length uintptr, protection, flags int) (span, error) {
	got, _, errno := syscall.Syscall6(syscall.SYS_MMAP, at, length, uintptr(protection),
		uintptr(syscall.MAP_PRIVATE|syscall.MAP_ANON|flags), ^uintptr(0), 0)
	if errno != 0 {
		return span{}, fmt.Errorf("mmap of %d KiB at %#x: %w", length>>10, at, errno)
	}
	return span{got, length}, nil
}

// fresh maps memory that may be read and written, where the kernel likes it.
func fresh(length uintptr) span {
	s, err := mapped(0, length, readWrite, 0)
	if err != nil {
		panic(err)
	}
	return s
}

func (s span) part(from, length uintptr) span { return span{s.at + from, length} }

func (s span) call(number, third uintptr) error {
	if _, _, errno := syscall.Syscall(number, s.at, s.length, third); errno != 0 {
		return fmt.Errorf("call %d of %d KiB at %#x: %w", number, s.length>>10, s.at, errno)
	}
	return nil
}

func (s span) unmap() error                   { return s.call(syscall.SYS_MUNMAP, 0) }
func (s span) protect(protection int) error   { return s.call(syscall.SYS_MPROTECT, uintptr(protection)) }
func (s span) advise(advice int) error        { return s.call(syscall.SYS_MADVISE, uintptr(advice)) }
func (s span) replace(protection int) error   { return s.remap(protection, fixed) }
func (s span) remapFree(protection int) error { return s.remap(protection, noReplace) }

func (s span) remap(protection, flags int) error {
	got, err := mapped(s.at, s.length, protection, flags)
	if err == nil && got != s {
		return fmt.Errorf("mmap to %#x went to %#x", s.at, got.at)
	}
	return err
}

// word is a word of a raw address.
func word(at uintptr) *uint64 { return *(**uint64)(unsafe.Pointer(&at)) }

// fill writes into the first and last word of each page what sets it apart.
func (s span) fill() {
	for at := s.at; at < s.at+s.length; at += page {
		*word(at), *word(at + page - 8) = uint64(at)|1, ^uint64(at)
	}
}

// holds reports whether the pages have what fill wrote.
func (s span) holds() error {
	for at := s.at; at < s.at+s.length; at += page {
		if *word(at) != uint64(at)|1 || *word(at + page - 8) != ^uint64(at) {
			return fmt.Errorf("the page at %#x holds %#x and %#x", at, *word(at), *word(at + page - 8))
		}
	}
	return nil
}

// zero reports whether the whole of it is zero.
func (s span) zero() error {
	for at := s.at; at < s.at+s.length; at += 8 {
		if *word(at) != 0 {
			return fmt.Errorf("the word at %#x is %#x", at, *word(at))
		}
	}
	return nil
}

// faults reports whether an access of an address meets a fault, at that address.
func faults(at uintptr, access func(*uint64)) (yes bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault, is := recover().(interface{ Addr() uintptr }); is {
			yes = fault.Addr() == at
		}
	}()
	access(word(at))
	return false
}

var sink uint64

var _ = &sink // is only written to

func read(at *uint64)  { sink = *at }
func write(at *uint64) { *at = 1 }

// refuses demands that an access faults on the first and the last page.
func (s span) refuses(what string, access func(*uint64)) error {
	for _, at := range []uintptr{s.at, s.at + s.length - page} {
		if !faults(at, access) {
			return fmt.Errorf("a %s of %#x was not refused", what, at)
		}
	}
	return nil
}

// first returns the first thing that went wrong.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
