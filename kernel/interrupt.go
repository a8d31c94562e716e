package kernel

import (
	"hearth/boot"
	"hearth/smp"
)

// Exception vectors that a program can raise.
const (
	vectorDivide     = 0
	vectorDebug      = 1
	vectorNMI        = 2
	vectorBreakpoint = 3
	vectorOpcode     = 6
	vectorDevice     = 7
	vectorDouble     = 8
	vectorPresent    = 11
	vectorSegment    = 12
	vectorGeneral    = 13
	vectorPage       = 14
	vectorFloat      = 16
	vectorAlignment  = 17
	vectorCheck      = 18
	vectorSIMD       = 19

	// vectorUnknown stands for vectors without an entry of their own.
	vectorUnknown = 256
	// vectorThrow stands for a system call made by kernel code: a runtime
	// throw or panic.
	vectorThrow = 257

	// For the assembly.
	spurious     = smp.SpuriousVector
	dataSelector = boot.DataSelector
	codeSelector = boot.CodeSelector
)

// onInterrupt handles an interrupt or exception of a program, whose registers
// are in the current frame.
func onInterrupt() {
	c := me()
	c.begin(kindOfVector(c.vector))
	switch c.vector {
	case smp.AlarmVector:
		c.alarm = -1
		smp.EndInterrupt()
	case smp.KickVector:
		smp.EndInterrupt()
	case smp.FlushVector:
		smp.EndInterrupt()
		c.serveFlush()
	case smp.SpuriousVector:
	case vectorUnknown:
		crash("an interrupt came on a vector that nobody set up")
	default:
		c.exception(frameAt(c.current))
	}
	c.leave()
}

// setGates fills the interrupt descriptor table.
func setGates() {
	var entries [vectorUnknown + 1]uintptr
	vectorAddresses(&entries)
	for vector := 0; vector < vectorUnknown; vector++ {
		entry := entries[vector]
		if entry == 0 {
			entry = entries[vectorUnknown]
		}
		boot.SetGate(vector, entry, stackOf(vector))
	}
}

func stackOf(vector int) int {
	switch vector {
	case vectorNMI:
		return boot.NMIStack
	case vectorDouble:
		return boot.DoubleFaultStack
	case vectorCheck:
		return boot.MachineCheckStack
	}
	return boot.InterruptStack
}

//go:noescape
func vectorAddresses(to *[vectorUnknown + 1]uintptr)
