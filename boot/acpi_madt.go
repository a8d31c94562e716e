package boot

import "hearth/cpu"

// The MADT, by offset, and the entries that boot reads.
const (
	madtLAPIC   = 36 // address of the local APIC, 32 bits
	madtEntries = 44

	madtCPU      = 0 // UID 8 bits, APIC id 8 bits, flags
	madtOverride = 5 // address of the local APIC, 64 bits
	madtX2CPU    = 9 // x2APIC id 32 bits, flags, UID 32 bits

	cpuEnabled = 1
)

// APIC ids that name all CPUs, so none.
const (
	everyAPIC   = 0xff
	everyX2APIC = 0xffffffff
)

// readMADT lists the enabled CPUs, the boot CPU first. An entry that overruns the
// table ends the reading: what follows cannot be told apart.
func readMADT(p *Physical, at uint64, bootAPIC uint32, info *Info) Problem {
	if at == 0 {
		return NoMADT
	}
	if !validTable(p, at, "APIC") || p.word32(at+tableLength) < madtEntries {
		return BadMADT
	}
	info.LAPICBase = uint64(p.word32(at + madtLAPIC))
	bootListed := false
	end := at + uint64(p.word32(at+tableLength))
	for entry := at + madtEntries; entry < end; {
		size := uint64(p.byte(entry + 1))
		if entry+2 > end || size < 2 || entry+size > end {
			return BadMADT
		}
		if readMADTEntry(p, entry, size, bootAPIC, info) {
			bootListed = true
		}
		entry += size
	}
	if !bootListed {
		return BootCPUNotListed
	}
	return NoProblem
}

// readMADTEntry reports whether the entry lists the boot CPU as enabled.
func readMADTEntry(p *Physical, entry, size uint64, bootAPIC uint32, info *Info) bool {
	kind := p.byte(entry)
	switch {
	case kind == madtCPU && size >= 8:
		c := FirmwareCPU{APICID: uint32(p.byte(entry + 3)), UID: uint32(p.byte(entry + 2))}
		if c.APICID != everyAPIC {
			return info.listCPU(&c, p.word32(entry+4), bootAPIC)
		}
	case kind == madtX2CPU && size >= 16:
		c := FirmwareCPU{APICID: p.word32(entry + 4), UID: p.word32(entry + 12)}
		if c.APICID != everyX2APIC {
			return info.listCPU(&c, p.word32(entry+8), bootAPIC)
		}
	case kind == madtOverride && size >= 12:
		info.LAPICBase = p.word64(entry + 4)
	}
	return false
}

// listCPU adds a CPU that is enabled and not listed yet: firmware may name one CPU
// both ways. It reports whether c is the boot CPU, which has entry 0.
func (info *Info) listCPU(c *FirmwareCPU, flags, bootAPIC uint32) bool {
	if flags&cpuEnabled == 0 {
		info.CPUsDisabled++
		return false
	}
	if c.APICID == bootAPIC {
		info.CPUs[0] = *c
		return true
	}
	for i := 1; i < info.CPUCount; i++ {
		if info.CPUs[i].APICID == c.APICID {
			return false
		}
	}
	if info.CPUCount == cpu.Max {
		info.CPUsLeftOut++
		return false
	}
	info.CPUs[info.CPUCount] = *c
	info.CPUCount++
	return false
}
