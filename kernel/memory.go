package kernel

import (
	"hearth/boot"
	"hearth/process"
)

// Flags of mmap, and advice of madvise, as Linux numbers them.
const (
	mapFixed          = 0x10
	mapAnonymous      = 0x20
	mapFixedNoReplace = 0x100000

	adviseDontNeed = 4
	adviseFree     = 8
)

// mmap maps anonymous memory: demand-zero, at the hint where that is free, at
// the very address under MAP_FIXED, which replaces what was there.
func mmap(f *frame) int64 {
	hint, length := uintptr(f.di), roundUp(uintptr(f.si))
	protection, flags := process.Protection(f.dx&7), f.r10
	if length == 0 {
		return -eINVAL
	}
	if flags&mapAnonymous == 0 {
		return -eNODEV // there are no files to map
	}
	s := &programSpace
	s.lock.lock()
	address, errno := s.choose(hint, length, flags)
	if errno == 0 {
		errno = s.mapAt(address, address+length, protection)
	}
	s.lock.unlock()
	if errno != 0 {
		return -errno
	}
	return int64(address)
}

// choose returns where a mapping goes. The caller holds the lock.
func (s *space) choose(hint, length uintptr, flags uint64) (address uintptr, errno int64) {
	if flags&(mapFixed|mapFixedNoReplace) == 0 {
		if hint != 0 {
			if at, ok := s.regions.FindFree(uint64(hint&^pageMask), uint64(length), programLow, programHigh); ok {
				return uintptr(at), 0
			}
		}
		at, ok := s.regions.FindFree(mapBase, uint64(length), mapBase, programHigh)
		if !ok {
			return 0, eNOMEM
		}
		return uintptr(at), 0
	}
	if hint&pageMask != 0 || !programRange(hint, length) {
		return 0, eINVAL
	}
	if flags&mapFixedNoReplace != 0 {
		if at, ok := s.regions.FindFree(uint64(hint), uint64(length), uint64(hint), uint64(hint+length)); !ok || uintptr(at) != hint {
			return 0, eEXIST
		}
	}
	return hint, 0
}

// mapAt makes [start, end) a fresh region. The caller holds the lock.
func (s *space) mapAt(start, end uintptr, p process.Protection) (errno int64) {
	if !s.regions.Map(uint64(start), uint64(end), p, 0) {
		return eNOMEM
	}
	s.drop(start, end)
	return 0
}

// munmap removes every mapping in a range.
func munmap(f *frame) int64 {
	start, length := uintptr(f.di), roundUp(uintptr(f.si))
	if start&pageMask != 0 || length == 0 || !programRange(start, length) {
		return -eINVAL
	}
	s := &programSpace
	s.lock.lock()
	ok := s.regions.Unmap(uint64(start), uint64(start+length))
	if ok {
		s.drop(start, start+length)
	}
	s.lock.unlock()
	if !ok {
		return -eNOMEM
	}
	return 0
}

// mprotect changes what a program may do with a range; data stay.
func mprotect(f *frame) int64 {
	start, length := uintptr(f.di), roundUp(uintptr(f.si))
	if start&pageMask != 0 || !programRange(start, length) {
		return -eINVAL
	}
	if length == 0 {
		return 0
	}
	p := process.Protection(f.dx & 7)
	s := &programSpace
	s.lock.lock()
	ok := s.regions.Protect(uint64(start), uint64(start+length), p)
	if ok {
		s.reprotect(start, start+length, p)
	}
	s.lock.unlock()
	if !ok {
		return -eNOMEM
	}
	return 0
}

// madvise gives pages back that a program needs no more: it must find zeroes
// there later. Other advice changes nothing.
func madvise(f *frame) int64 {
	start, length := uintptr(f.di), roundUp(uintptr(f.si))
	if start&pageMask != 0 || !programRange(start, length) {
		return -eINVAL
	}
	if length != 0 && (f.dx == adviseDontNeed || f.dx == adviseFree) {
		s := &programSpace
		s.lock.lock()
		s.drop(start, start+length)
		s.lock.unlock()
	}
	return 0
}

func roundUp(n uintptr) uintptr { return (n + pageMask) &^ pageMask }

// programRange reports whether a range lies in the part of the address space that
// programs may map.
func programRange(start, length uintptr) bool {
	return start >= programLow && start < boot.ImageBase && length <= boot.ImageBase-start
}

// pageFault makes a missing page present, or reports that the program may not
// have it. write tells what the program tried, execute that it fetched code.
func pageFault(c *perCPU, address uintptr, code uint64) bool {
	const write, fetch = 1 << 1, 1 << 4
	access := process.Readable
	switch {
	case code&write != 0:
		access = process.Writable
	case code&fetch != 0:
		access = process.Executable
	}
	c.counts.faults++
	if address < programLow || address >= boot.ImageBase {
		return false
	}
	s := &programSpace
	s.lock.lock()
	entry, out := s.touch(address, access)
	s.lock.unlock()
	if out {
		crash("out of memory: a program's page has no frame left")
	}
	if entry != nil {
		boot.Invalidate(address) // a stale refusal may be cached
	}
	return entry != nil
}
