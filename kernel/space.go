package kernel

import (
	"hearth/boot"
	"hearth/process"
	"unsafe"
)

// space is an address space: what a process has mapped (regions), and the page
// tables, which are filled on demand.
type space struct {
	lock    spinLock
	root    uint64
	regions process.Regions
	pages   uint64 // frames mapped
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

// touch makes the page of an address present if its region allows the access
// (a bit of process.Regions' protection), and returns its entry; nil when the
// program may not, or no frame is left (out). The caller holds the lock.
func (s *space) touch(address uintptr, access process.Protection) (entry *uint64, out bool) {
	page := address &^ pageMask
	region, ok := s.regions.Find(uint64(page))
	allowed := region.Protection
	if !ok || allowed&access != access {
		return nil, false
	}
	entry = boot.Leaf(s.root, page, true)
	if entry == nil {
		return nil, true
	}
	if *entry&boot.Present != 0 {
		return entry, false
	}
	frame := *entry & boot.AddressMask
	if frame == 0 {
		frame = boot.RAM.TakeClear()
		if frame == 0 {
			return nil, true
		}
		s.pages++
	}
	*entry = frame | entryBits(allowed)
	return entry, false
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

// drop unmaps the pages of [start, end) and returns their frames. Other CPUs
// may hold translations, so the frames go back only after the flush. The
// caller holds the lock.
func (s *space) drop(start, end uintptr) {
	for start < end {
		var frames [64]uint64
		n := 0
		present := false
		for ; start < end && n < len(frames); start += boot.PageSize {
			entry := boot.Leaf(s.root, start, false)
			if entry == nil {
				start = nextTable(start) - boot.PageSize
				continue
			}
			if frame := *entry & boot.AddressMask; frame != 0 {
				frames[n] = frame
				n++
				present = present || *entry&boot.Present != 0
				*entry = 0
			}
		}
		if present {
			me().flushAll()
		}
		for i := 0; i < n; i++ {
			boot.RAM.Return(frames[i])
		}
		s.pages -= uint64(n)
	}
}

// nextTable returns the first address that a different last-level table maps.
func nextTable(address uintptr) uintptr {
	const span = boot.PageSize * 512
	return (address + span) &^ (span - 1)
}

// reprotect gives the present pages of [start, end) a protection. The caller
// holds the lock.
func (s *space) reprotect(start, end uintptr, p process.Protection) {
	changed := false
	for ; start < end; start += boot.PageSize {
		entry := boot.Leaf(s.root, start, false)
		if entry == nil {
			start = nextTable(start) - boot.PageSize
			continue
		}
		if frame := *entry & boot.AddressMask; frame != 0 {
			changed = true
			*entry = frame | entryBits(p) // without access: kept, not present
		}
	}
	if changed {
		me().flushAll()
	}
}

// reach returns where the kernel finds a program's address, through the direct
// map, so that reading or writing it cannot fault; 0 when the program itself
// may not. The caller holds the lock.
func (s *space) reach(address uintptr, access process.Protection) uintptr {
	entry, _ := s.touch(address, access)
	if entry == nil {
		return 0
	}
	return boot.Direct(*entry&boot.AddressMask) + address&pageMask
}

// copyOut writes n bytes of the kernel to a program's address; false when the
// program could not write there itself.
func (s *space) copyOut(to uintptr, from unsafe.Pointer, n uintptr) bool {
	return s.copy(to, uintptr(from), n, process.Writable)
}

// copyIn reads n bytes of a program into the kernel; false when the program
// could not read there itself.
func (s *space) copyIn(to unsafe.Pointer, from uintptr, n uintptr) bool {
	return s.copy(from, uintptr(to), n, process.Readable)
}

func (s *space) copy(program, kernel, n uintptr, access process.Protection) bool {
	s.lock.lock()
	done := true
	for n > 0 {
		step := min(n, boot.PageSize-program&pageMask)
		at := s.place(program, access)
		if at == 0 {
			done = false
			break
		}
		if access == process.Writable {
			copyBytes(at, kernel, step)
		} else {
			copyBytes(kernel, at, step)
		}
		program += step
		kernel += step
		n -= step
	}
	s.lock.unlock()
	return done
}

// place is reach for any address that a program may pass to a call: its own
// memory, or the image's, which the kernel's tables map.
func (s *space) place(address uintptr, access process.Protection) uintptr {
	if address < boot.ImageBase {
		return s.reach(address, access)
	}
	if boot.InImage(address, access&process.Writable != 0) {
		return address
	}
	return 0
}

func copyBytes(to, from, n uintptr) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(to)), n), unsafe.Slice((*byte)(unsafe.Pointer(from)), n))
}
