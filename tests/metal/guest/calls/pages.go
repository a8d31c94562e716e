package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"syscall"
	"unsafe"
)

const (
	page = 4096

	mapFixed          = 0x10
	mapNoReserve      = 0x4000
	mapFixedNoReplace = 0x100000
	adviseDontNeed    = 4

	readWrite = syscall.PROT_READ | syscall.PROT_WRITE
)

// pages is a mapping of a few pages, by raw calls.
type pages struct{ at, length uintptr }

// mapPages maps anonymous private memory.
func mapPages(hint, length uintptr, protection, flags int) (pages, syscall.Errno) {
	at, _, errno := syscall.Syscall6(syscall.SYS_MMAP, hint, length, uintptr(protection),
		uintptr(syscall.MAP_PRIVATE|syscall.MAP_ANONYMOUS|flags), ^uintptr(0), 0)
	return pages{at, length}, errno
}

// mustMap maps n fresh pages that may be read and written.
func mustMap(n uintptr) pages {
	p, errno := mapPages(0, n*page, readWrite, 0)
	if errno != 0 {
		panic(errno)
	}
	return p
}

func (p pages) part(first, n uintptr) pages { return pages{p.at + first*page, n * page} }

func (p pages) overlaps(o pages) bool { return p.at < o.at+o.length && o.at < p.at+p.length }

func (p pages) unmap() syscall.Errno {
	_, _, errno := syscall.Syscall(syscall.SYS_MUNMAP, p.at, p.length, 0)
	return errno
}

func (p pages) protect(protection int) syscall.Errno {
	_, _, errno := syscall.Syscall(syscall.SYS_MPROTECT, p.at, p.length, uintptr(protection))
	return errno
}

func (p pages) advise(advice int) syscall.Errno {
	_, _, errno := syscall.Syscall(syscall.SYS_MADVISE, p.at, p.length, uintptr(advice))
	return errno
}

// word is a word of a raw address, which the collector knows nothing of.
func word(at uintptr) *uint64 { return *(**uint64)(unsafe.Pointer(&at)) }

// fill writes into the first and last word of each page what sets it apart.
func (p pages) fill() {
	for at := p.at; at < p.at+p.length; at += page {
		*word(at), *word(at + page - 8) = uint64(at), ^uint64(at)
	}
}

// holds reports whether the pages still have what fill wrote.
func (p pages) holds() error {
	for at := p.at; at < p.at+p.length; at += page {
		if *word(at) != uint64(at) || *word(at + page - 8) != ^uint64(at) {
			return fmt.Errorf("the page at %#x lost its content: %#x", at, *word(at))
		}
	}
	return nil
}

// zero reports whether every word of the pages is 0.
func (p pages) zero() error {
	for at := p.at; at < p.at+p.length; at += 8 {
		if *word(at) != 0 {
			return fmt.Errorf("the word at %#x is %#x, not 0", at, *word(at))
		}
	}
	return nil
}

// faultAt runs f and returns the address at which it met a fault.
func faultAt(f func()) (at uintptr, ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault, is := recover().(interface{ Addr() uintptr }); is {
			at, ok = fault.Addr(), true
		}
	}()
	f()
	return 0, false
}

var sink uint64

// refuses demands that an access faults, at its very address.
func (p pages) refuses(what string, access func(at *uint64)) error {
	for at := p.at; at < p.at+p.length; at += page / 2 {
		fault, ok := faultAt(func() { access(word(at)) })
		if !ok || fault != at {
			return fmt.Errorf("a %s of %#x faulted: %v, at %#x", what, at, ok, fault)
		}
	}
	return nil
}

func (p pages) refusesReads() error  { return p.refuses("read", func(at *uint64) { sink = *at }) }
func (p pages) refusesWrites() error { return p.refuses("write", func(at *uint64) { *at = 1 }) }

// first returns the first thing that went wrong.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// is demands an error number.
func is(call string, got, want syscall.Errno) error {
	if got == want {
		return nil
	}
	return fmt.Errorf("%s: %d (%v), want %d (%v)", call, int(got), got, int(want), want)
}

// wrong is an error without details.
func wrong(ok bool, text string) error {
	if ok {
		return nil
	}
	return errors.New(text)
}
