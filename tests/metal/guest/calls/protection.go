package main

import (
	"fmt"
	"syscall"
	"unsafe"

	"hearth/sys"
)

func noAccess() error {
	p, errno := mapPages(0, 3*page, syscall.PROT_NONE, 0)
	defer p.unmap()
	return first(is("mmap", errno, 0), p.refusesReads(), p.refusesWrites(), p.refusesReads())
}

func readOnly() error {
	p := mustMap(3)
	defer p.unmap()
	p.fill()
	fresh, errno := mapPages(0, page, syscall.PROT_READ, 0)
	defer fresh.unmap()
	return first(is("mprotect", p.protect(syscall.PROT_READ), 0), p.holds(), p.refusesWrites(), p.holds(),
		is("mmap", errno, 0), fresh.zero(), fresh.refusesWrites())
}

func protectionKeeps() error {
	p := mustMap(4)
	defer p.unmap()
	p.fill()
	for range 3 {
		if err := first(is("mprotect", p.part(1, 2).protect(syscall.PROT_NONE), 0), p.part(1, 2).refusesReads(),
			p.part(0, 1).holds(), p.part(3, 1).holds(),
			is("mprotect", p.part(1, 2).protect(readWrite), 0), p.holds()); err != nil {
			return err
		}
		p.fill()
	}
	return nil
}

// badPointers gives calls addresses that the program could not use itself.
func badPointers() error {
	none, _ := mapPages(0, page, syscall.PROT_NONE, 0)
	defer none.unmap()
	fixed, _ := mapPages(0, page, syscall.PROT_READ, 0)
	defer fixed.unmap()
	gone := mustMap(1)
	gone.unmap()
	for _, p := range []pages{none, fixed, gone} {
		_, _, clock := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 1, p.at, 0)
		if err := is(fmt.Sprintf("clock_gettime to %#x", p.at), clock, syscall.EFAULT); err != nil {
			return err
		}
	}
	for _, p := range []pages{none, gone} {
		_, _, write := syscall.Syscall(syscall.SYS_WRITE, 1, p.at, 8)
		_, _, wait := syscall.Syscall6(syscall.SYS_FUTEX, p.at, 0, 0, 0, 0, 0)
		if err := first(is("write from there", write, syscall.EFAULT), is("futex wait there", wait, syscall.EFAULT)); err != nil {
			return err
		}
	}
	return nil
}

// pageZero demands what Go programs recover from every day.
func pageZero() (err error) {
	defer func() {
		fault, ok := recover().(error)
		if !ok || fault.Error() != "runtime error: invalid memory address or nil pointer dereference" {
			err = fmt.Errorf("recovered %v", fault)
		}
	}()
	var nowhere *[page / 8]uint64
	sink = nowhere[17]
	return fmt.Errorf("page 0 reads %#x", sink)
}

const constant = "a constant of this program"

// ownText is asked of every CPU, since each has the bit that makes read-only
// pages hold in ring 0.
func ownText() error { return onEveryCPU(refuseWritesToText) }

func refuseWritesToText() error {
	text := sys.Text()
	for _, at := range []*byte{&text[0], &text[len(text)/2], unsafe.StringData(constant)} {
		before := *at
		fault, ok := faultAt(func() { *at = ^before })
		if !ok || fault != uintptr(unsafe.Pointer(at)) || *at != before {
			return fmt.Errorf("a write to %p faulted: %v, at %#x", at, ok, fault)
		}
	}
	return nil
}

// dataIsNoCode is asked of every CPU for the same reason.
func dataIsNoCode() error { return onEveryCPU(refuseToRunData) }

// refuseToRunData calls a function that consists of data: in the heap, in static
// data, and in a mapping that was never made executable.
func refuseToRunData() error {
	const ret = 0xc3
	p := mustMap(1)
	defer p.unmap()
	*word(p.at) = ret
	heap := make([]byte, 64)
	heap[0] = ret
	static[0] = ret
	for _, code := range []uintptr{p.at, uintptr(unsafe.Pointer(&heap[0])), uintptr(unsafe.Pointer(&static[0]))} {
		entry := &code
		f := *(*func())(unsafe.Pointer(&entry))
		if fault, ok := faultAt(f); !ok || fault != code {
			return fmt.Errorf("code at %#x faulted: %v, at %#x", code, ok, fault)
		}
	}
	return nil
}

var static [64]byte
