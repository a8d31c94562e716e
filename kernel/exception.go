package kernel

import "hearth/boot"

// exception answers a program's exception: a missing page is made present, the rest
// become the signals that Linux sends.
func (c *perCPU) exception(f *frame) {
	x := contextAt(c.context())
	place := uintptr(f.ip)
	switch c.vector {
	case vectorPage:
		address := uintptr(boot.ReadCR2())
		if !pageFault(c, address, c.code) {
			c.raise(x, sigSEGV, segvCode(address), address)
		}
	case vectorDivide:
		c.raise(x, sigFPE, fpeIntegerDivide, place)
	case vectorFloat:
		const control, status = 0, 2
		flags := uint32(load16(f.extended + status))
		c.raise(x, sigFPE, floatCode(flags&^uint32(load16(f.extended+control))), place)
	case vectorSIMD:
		const mxcsr, masks = 24, 7
		word := load32(f.extended + mxcsr)
		c.raise(x, sigFPE, floatCode(word&^(word>>masks)), place)
	case vectorOpcode:
		c.raise(x, sigILL, illOperand, place)
	case vectorDebug:
		c.raise(x, sigTRAP, trapTrace, place)
	case vectorBreakpoint:
		c.raise(x, sigTRAP, fromKernel, 0)
	case vectorSegment, vectorPresent:
		c.raise(x, sigBUS, fromKernel, 0)
	case vectorAlignment:
		c.raise(x, sigBUS, busAlignment, 0)
	default:
		c.raise(x, sigSEGV, fromKernel, 0)
	}
}

// segvCode tells an access that a mapping forbids from one of nothing.
func segvCode(address uintptr) int32 {
	s := &programSpace
	s.lock.lock()
	_, mapped := s.regions.Find(uint64(address) &^ pageMask)
	s.lock.unlock()
	if mapped || boot.InImage(address, false) {
		return segvAccess
	}
	return segvMapError
}

// floatCode returns the code of the first floating-point exception that is flagged, in
// the order in which the CPU looks.
func floatCode(flags uint32) int32 {
	const invalid, denormal, zero, overflow, underflow, inexact = 1, 2, 4, 8, 16, 32
	switch {
	case flags&invalid != 0:
		return fpeFloatInvalid
	case flags&zero != 0:
		return fpeFloatDivide
	case flags&overflow != 0:
		return fpeFloatOverflow
	case flags&(underflow|denormal) != 0:
		return fpeFloatUnderflow
	case flags&inexact != 0:
		return fpeFloatInexact
	}
	return 0
}
