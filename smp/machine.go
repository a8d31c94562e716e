package smp

import "unsafe"

// The few instructions that this package needs.

// readTSC returns the calling CPU's time stamp counter, in ticks.
func readTSC() uint64

// pause tells the CPU (and QEMU's scheduler) that the caller spins.
func pause()

// writeDeadline sets the TSC value at which the timer fires, 0: never.
func writeDeadline(ticks uint64)

// fence lets no later store to a model-specific register pass an earlier one
// to memory.
func fence()

// load reads a 32-bit register of the LAPIC.
func load(offset uintptr) uint32 { return *(*uint32)(unsafe.Pointer(base + offset)) }

// store writes a 32-bit register of the LAPIC.
func store(offset uintptr, value uint32) { *(*uint32)(unsafe.Pointer(base + offset)) = value }
