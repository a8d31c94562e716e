package kernel

import "unsafe"

// Plain loads and stores at kernel addresses.

func load64(at uintptr) uint64         { return *(*uint64)(unsafe.Pointer(at)) }
func store64(at uintptr, value uint64) { *(*uint64)(unsafe.Pointer(at)) = value }
func load32(at uintptr) uint32         { return *(*uint32)(unsafe.Pointer(at)) }
func store32(at uintptr, value uint32) { *(*uint32)(unsafe.Pointer(at)) = value }
func store16(at uintptr, value uint16) { *(*uint16)(unsafe.Pointer(at)) = value }

// clearWords fills n bytes, a multiple of 8, with zeroes.
func clearWords(at uintptr, n uintptr) { clear(unsafe.Slice((*uint64)(unsafe.Pointer(at)), n/8)) }
