package kernel

import "unsafe"

// Plain loads and stores at kernel addresses, which are no pointers to the
// instrumentation of host tests: it would look for the Go object that they
// were derived from.

//go:nocheckptr
func load64(at uintptr) uint64 { return *(*uint64)(unsafe.Pointer(at)) }

//go:nocheckptr
func store64(at uintptr, value uint64) { *(*uint64)(unsafe.Pointer(at)) = value }

//go:nocheckptr
func load32(at uintptr) uint32 { return *(*uint32)(unsafe.Pointer(at)) }

//go:nocheckptr
func store32(at uintptr, value uint32) { *(*uint32)(unsafe.Pointer(at)) = value }

//go:nocheckptr
func load16(at uintptr) uint16 { return *(*uint16)(unsafe.Pointer(at)) }

//go:nocheckptr
func store16(at uintptr, value uint16) { *(*uint16)(unsafe.Pointer(at)) = value }

// clearWords fills n bytes, a multiple of 8, with zeroes.
//
//go:nocheckptr
func clearWords(at uintptr, n uintptr) { clear(unsafe.Slice((*uint64)(unsafe.Pointer(at)), n/8)) }
