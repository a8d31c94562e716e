package boot

// The FADT, by offset. Its length tells which fields it has.
const (
	fadtPMTimer    = 76  // I/O port, 32 bits
	fadtPMLength   = 91  // bytes of the register, 4 if it exists
	fadtFlags      = 112 // 32 bits
	fadtReset      = 116 // generic address
	fadtResetValue = 128
	fadtXPMTimer   = 208 // generic address

	fadtWideTimer = 1 << 8  // the timer counts 32 bits
	fadtHasReset  = 1 << 10 // the reset register exists
)

// A generic address, by offset.
const (
	genericSpace   = 0
	genericAddress = 4
	genericSize    = 12

	genericMemory = 0
	genericPort   = 1
)

// readFADT finds the PM timer and the reset register. Without a FADT the machine
// has neither, which is no fault.
func readFADT(p *Physical, at uint64, info *Info) Problem {
	if at == 0 {
		return NoProblem
	}
	if !validTable(p, at, "FACP") {
		return BadFADT
	}
	size := uint64(p.word32(at + tableLength))
	if size < fadtFlags+4 {
		return BadFADT
	}
	flags := p.word32(at + fadtFlags)
	info.PMTimer32 = flags&fadtWideTimer != 0
	if p.byte(at+fadtPMLength) == 4 {
		info.PMTimerPort = port(uint64(p.word32(at + fadtPMTimer)))
	}
	if size >= fadtXPMTimer+genericSize && p.byte(at+fadtXPMTimer+genericSpace) == genericPort {
		if wide := port(p.word64(at + fadtXPMTimer + genericAddress)); wide != 0 {
			info.PMTimerPort = wide
		}
	}
	if flags&fadtHasReset != 0 && size > fadtResetValue {
		info.readReset(p, at)
	}
	return NoProblem
}

// port returns an I/O port, 0 if the address is none.
func port(address uint64) uint16 {
	if address > 0xffff {
		return 0
	}
	return uint16(address)
}

func (info *Info) readReset(p *Physical, at uint64) {
	address := p.word64(at + fadtReset + genericAddress)
	switch p.byte(at + fadtReset + genericSpace) {
	case genericMemory:
		info.ResetSpace = MemorySpace
	case genericPort:
		info.ResetSpace = PortSpace
		address = uint64(port(address))
	}
	if info.ResetSpace == NoSpace || address == 0 {
		info.ResetSpace = NoSpace
		return
	}
	info.ResetAddress, info.ResetValue = address, p.byte(at+fadtResetValue)
}

// The HPET's table, by offset.
const (
	hpetAddress = 40 // generic address
	hpetSize    = 56
)

// readHPET finds the HPET's registers; a machine may have none.
func readHPET(p *Physical, at uint64, info *Info) Problem {
	if at == 0 {
		return NoProblem
	}
	if !validTable(p, at, "HPET") || p.word32(at+tableLength) < hpetSize ||
		p.byte(at+hpetAddress+genericSpace) != genericMemory {
		return BadHPET
	}
	info.HPETBase = p.word64(at + hpetAddress + genericAddress)
	return NoProblem
}
