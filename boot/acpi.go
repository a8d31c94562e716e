package boot

// The root pointer of ACPI, by offset.
const (
	rsdpMark     = "RSD PTR "
	rsdpSize     = 20 // what the first checksum covers
	rsdpRevision = 15
	rsdpRSDT     = 16
	rsdpLength   = 20
	rsdpXSDT     = 24
	rsdpSizeV2   = 36
)

// The header of every ACPI table, by offset.
const (
	tableLength = 4
	tableHeader = 36
)

// maxTable bounds the length of a table that is believed, in bytes.
const maxTable = 1 << 20

// ReadACPI fills what ACPI tells about CPUs, timers and reset. It starts from
// info.RSDP; if that is 0 it searches where BIOSes keep the root pointer, and
// stores it. bootAPIC is the APIC id of the CPU that runs: it becomes CPU 0
// whatever the tables say. The first problem is returned, and what does not
// depend on it is filled in nevertheless.
func ReadACPI(p Physical, bootAPIC uint32, info *Info) Problem {
	info.CPUs[0] = FirmwareCPU{APICID: bootAPIC}
	info.CPUCount = 1
	if info.RSDP == 0 {
		info.RSDP = searchRSDP(&p)
	}
	if info.RSDP == 0 {
		return NoRSDP
	}
	root, ok := readRSDP(&p, info.RSDP)
	if !ok {
		return BadRSDP
	}
	if !root.valid(&p) {
		return BadRootTable
	}
	problem := readMADT(&p, root.find(&p, "APIC"), bootAPIC, info)
	problem = first(problem, readFADT(&p, root.find(&p, "FACP"), info))
	return first(problem, readHPET(&p, root.find(&p, "HPET"), info))
}

func first(a, b Problem) Problem {
	if a != NoProblem {
		return a
	}
	return b
}

// rootTable is the RSDT or XSDT: a list of the addresses of the other tables.
type rootTable struct {
	at   uint64
	wide bool // addresses have 64 bits
}

// readRSDP returns the root table that a valid root pointer names. Revision 2 has
// a second checksum over all of it, and the wide table; some firmware leaves that
// address 0 and means the narrow one.
func readRSDP(p *Physical, at uint64) (rootTable, bool) {
	if !validRSDP(p, at) {
		return rootTable{}, false
	}
	narrow := rootTable{at: uint64(p.word32(at + rsdpRSDT))}
	if p.byte(at+rsdpRevision) < 2 {
		return narrow, true
	}
	size := uint64(p.word32(at + rsdpLength))
	if size < rsdpSizeV2 || size > maxTable || !p.has(at, size) || p.sum(at, size) != 0 {
		return rootTable{}, false
	}
	if xsdt := p.word64(at + rsdpXSDT); xsdt != 0 {
		return rootTable{at: xsdt, wide: true}, true
	}
	return narrow, true
}

func validRSDP(p *Physical, at uint64) bool {
	return p.has(at, rsdpSize) && p.matches(at, rsdpMark) && p.sum(at, rsdpSize) == 0
}

// Where a BIOS keeps the root pointer: on a boundary of 16 bytes in the first KiB
// of the extended BIOS data area, whose segment stands at 0x40e, or in the ROM.
const (
	ebdaSegment = 0x40e
	ebdaSearch  = 1 << 10
	romStart    = 0xe0000
	romEnd      = 0x100000
)

func searchRSDP(p *Physical) uint64 {
	if area := uint64(p.word16(ebdaSegment)) << 4; area != 0 {
		if at := scanRSDP(p, area, area+ebdaSearch); at != 0 {
			return at
		}
	}
	return scanRSDP(p, romStart, romEnd)
}

func scanRSDP(p *Physical, start, end uint64) uint64 {
	for at := start; at < end; at += 16 {
		if validRSDP(p, at) {
			return at
		}
	}
	return 0
}

func (r *rootTable) valid(p *Physical) bool {
	if r.wide {
		return validTable(p, r.at, "XSDT")
	}
	return validTable(p, r.at, "RSDT")
}

// validTable reports whether a whole table with that signature can be read at
// address at and sums to zero.
func validTable(p *Physical, at uint64, signature string) bool {
	if at == 0 || !p.has(at, tableHeader) || !p.matches(at, signature) {
		return false
	}
	size := uint64(p.word32(at + tableLength))
	return size >= tableHeader && size <= maxTable && p.has(at, size) && p.sum(at, size) == 0
}

// find returns the address of the first table with that signature that the root
// lists, 0 if there is none. The table may still not be valid.
func (r *rootTable) find(p *Physical, signature string) uint64 {
	size := uint64(4)
	if r.wide {
		size = 8
	}
	end := r.at + uint64(p.word32(r.at+tableLength))
	for entry := r.at + tableHeader; entry+size <= end; entry += size {
		at := uint64(p.word32(entry))
		if r.wide {
			at = p.word64(entry)
		}
		if at != 0 && p.has(at, tableHeader) && p.matches(at, signature) {
			return at
		}
	}
	return 0
}
