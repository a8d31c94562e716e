package main

import (
	"unsafe"

	"hearth/sys"
)

// Each of these ends the program, with a fault that names its line.

//go:noinline
func writeText() (string, error) {
	sys.Text()[0] = 0xc3 // ends: write_text
	return "", nil
}

const constant = "a constant of this program"

//go:noinline
func writeConstant() (string, error) {
	*unsafe.StringData(constant) = 'A' // ends: write_constant
	return "", nil
}

const ret = 0xc3 // a whole function

// call calls what lies at an address. A fault there is blamed on where it would have
// returned to, which is on the caller's line as this is inlined.
func call(code *byte) string {
	entry := uintptr(unsafe.Pointer(code))
	f := &entry
	return (*(*func() string)(unsafe.Pointer(&f)))()
}

//go:noinline
func runHeap() (string, error) {
	kept = make([]byte, 64)
	kept[0] = ret
	return call(&kept[0]), nil // ends: run_heap
}

var static [64]byte

//go:noinline
func runStatic() (string, error) {
	static[0] = ret
	return call(&static[0]), nil // ends: run_data
}

//go:noinline
func readPageZero() (string, error) {
	var nowhere *[page / 8]uint64
	sink = nowhere[17] // ends: read_page_0
	return "", nil
}

//go:noinline
func readHole() (string, error) {
	s := fresh(page)
	if err := s.unmap(); err != nil {
		return "", err
	}
	sink = *word(s.at) // ends: read_hole
	return "", nil
}
