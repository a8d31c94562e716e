package boot

// The start info of the PVH boot protocol, by offset.
const (
	startMagic   = 0x336ec578
	startVersion = 4
	startCommand = 24 // physical address of the command line
	startRSDP    = 32
	startMap     = 40 // physical address of the memory map
	startMapLen  = 48 // entries in it
	startSize    = 56
)

// An entry of the memory map, by offset; types as in the BIOS's map.
const (
	entryStart  = 0
	entryLength = 8
	entryType   = 16
	entrySize   = 24
	typeRAM     = 1
)

// maxMapEntries bounds how many entries are believed; real maps have dozens.
const maxMapEntries = 4096

// ReadStartInfo fills command line, memory and RSDP of info from the PVH start
// info at a physical address.
func ReadStartInfo(p Physical, address uint64, info *Info) Problem {
	if !p.has(address, startSize) || p.word32(address) != startMagic {
		return BadStartInfo
	}
	info.copyCommandLine(&p, p.word64(address+startCommand))
	info.RSDP = p.word64(address + startRSDP)
	if p.word32(address+startVersion) < 1 {
		return BadStartInfo
	}
	entries, table := uint64(p.word32(address+startMapLen)), p.word64(address+startMap)
	if entries == 0 || entries > maxMapEntries || !p.has(table, entries*entrySize) {
		return BadMemoryMap
	}
	info.readMap(&p, table, entries)
	if info.MemoryCount == 0 {
		return BadMemoryMap
	}
	return NoProblem
}

// readMap takes the union of RAM and then away what is listed as anything else:
// where entries overlap, the careful one holds.
func (info *Info) readMap(p *Physical, table, entries uint64) {
	info.MemoryCount, info.MemoryLeftOut = 0, 0
	for i := uint64(0); i < entries; i++ {
		if at := table + i*entrySize; p.word32(at+entryType) == typeRAM {
			info.addMemory(rangeOf(p, at))
		}
	}
	for i := uint64(0); i < entries; i++ {
		if at := table + i*entrySize; p.word32(at+entryType) != typeRAM {
			info.removeMemory(rangeOf(p, at))
		}
	}
}

// maxPhysical is the end of physical memory as page tables can express it.
const maxPhysical = 1 << 52

func rangeOf(p *Physical, at uint64) Range {
	start, size := p.word64(at+entryStart), p.word64(at+entryLength)
	if start > maxPhysical {
		start = maxPhysical
	}
	if size > maxPhysical-start {
		size = maxPhysical - start
	}
	return Range{start, start + size}
}

// copyCommandLine copies the zero-terminated text at a physical address.
func (info *Info) copyCommandLine(p *Physical, from uint64) {
	info.CommandLineLength, info.CommandLineCut = 0, false
	if from == 0 {
		return
	}
	for i := uint64(0); ; i++ {
		c := p.byte(from + i)
		if c == 0 {
			return
		}
		if i == MaxCommandLine {
			info.CommandLineCut = true
			return
		}
		info.CommandLine[i] = c
		info.CommandLineLength++
	}
}
