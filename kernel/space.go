package kernel

import (
	"hearth/boot"
	"hearth/process"
)

// space is an address space: what a process has mapped (regions), and the page
// tables, which are filled on demand.
type space struct {
	lock    spinLock
	root    uint64 // of the tables, for who loads it
	regions process.Regions
	tables  boot.Tables
}

// Addresses of a program: page 0 is never mapped, the image and the kernel lie
// above.
const (
	programLow  = 0x10000
	programHigh = boot.ImageBase - 1<<30
	// mapBase is where mappings without a hint are placed from.
	mapBase = 0x7d0000000000
)

// programSpace is process 1's.
var programSpace space

const pageMask = boot.PageSize - 1

// access is what came of looking for a program's page.
type access uint8

const (
	accessGiven   access = iota // the page is present, at physical
	accessRefused               // the program may not
	accessNoPage                // a frame is wanted that the stock lacks
	accessNoBlock               // a block is wanted that the stock lacks
	accessNoRAM                 // no frame is left for a table
)

// touch makes the page of an address present if its region allows the use (a
// bit of process.Regions' protection). A page that is not there yet is taken from
// the stock, with its content cleared. The caller holds the lock.
func (s *space) touch(address uintptr, use process.Protection, from *stock) (physical uint64, a access) {
	region, ok := s.regions.Find(uint64(address))
	if !ok || region.Protection&use != use {
		return 0, accessRefused
	}
	bits := entryBits(region.Protection)
	var page boot.Page
	s.tables.Look(address, &page)
	if page.Physical != 0 {
		if page.Bits != bits {
			s.tables.SetBits(address, bits)
		}
		return page.Physical, accessGiven
	}
	if page.Fits && from.large && fitsLarge(&region, address) {
		return s.giveBlock(address, bits, from)
	}
	return s.givePage(address, bits, from)
}

func (s *space) givePage(address uintptr, bits uint64, from *stock) (physical uint64, a access) {
	frame := from.page.Load()
	if frame == 0 {
		return 0, accessNoPage
	}
	if !s.tables.Put(address, frame, bits, 0) {
		return 0, accessNoRAM
	}
	from.page.Store(0)
	return frame + uint64(address&pageMask), accessGiven
}

// entryBits turns a region's protection into those of a page table entry.
func entryBits(p process.Protection) uint64 {
	bits := uint64(boot.NoExecute)
	if p&process.Readable != 0 {
		bits |= boot.Present
	}
	if p&process.Writable != 0 {
		bits |= boot.Present | boot.Writable
	}
	if p&process.Executable != 0 {
		bits &^= boot.NoExecute
		bits |= boot.Present
	}
	return bits
}
