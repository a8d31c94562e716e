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

// memoryCall carries out the calls on a program's memory. What is long goes in
// pieces, each an entry of its own: a piece changes regions and pages of one
// stretch together, so that between two pieces every page is either as before the
// call or as after it.
func (c *perCPU) memoryCall(x *context, f *frame) (result int64, blocked bool) {
	at, end := uintptr(f.di), uintptr(f.di)+roundUp(uintptr(f.si))
	if x.resumed(f) {
		at = x.progress.at
	}
	s := &programSpace
	next, errno := end, int64(0)
	switch f.ax {
	case callMmap:
		return c.mmap(x, f)
	case callMunmap:
		if !programRange(f.di, f.si) || f.si == 0 {
			return -eINVAL, false
		}
		next, errno = s.remove(at, end)
	case callMprotect:
		if !programRange(f.di, f.si) {
			return -eINVAL, false
		}
		if p := process.Protection(f.dx & 7); excessive(f.si, p) {
			errno = eNOMEM
		} else if at < end {
			next, errno = s.protect(at, end, p)
		}
	case callMadvise:
		if !programRange(f.di, f.si) {
			return -eINVAL, false
		}
		// Other advice changes nothing.
		if at < end && (f.dx == adviseDontNeed || f.dx == adviseFree) {
			next, errno = s.discard(at, end)
		}
	}
	return x.goOn(f, next, end, -errno)
}

// goOn ends a piece that came to next: the call is done at end, or with an error.
func (x *context) goOn(f *frame, next, end uintptr, result int64) (int64, bool) {
	if result >= 0 && next < end {
		x.progress.at = next
		return x.again(f)
	}
	return x.finish(result)
}

// mmap maps anonymous memory: demand-zero, at the hint where that is free, at
// the very address under MAP_FIXED, which replaces what was there.
func (c *perCPU) mmap(x *context, f *frame) (result int64, blocked bool) {
	hint, length, p := uintptr(f.di), roundUp(uintptr(f.si)), process.Protection(f.dx&7)
	switch {
	case length == 0:
		return -eINVAL, false
	case f.r10&mapAnonymous == 0:
		return -eNODEV, false // there are no files to map
	case excessive(f.si, p):
		return -eNOMEM, false
	}
	s := &programSpace
	if f.r10&(mapFixed|mapFixedNoReplace) == 0 {
		return s.mapAnywhere(x, f, hint&^pageMask, length, p)
	}
	if !programRange(f.di, f.si) {
		return -eINVAL, false
	}
	if f.r10&mapFixedNoReplace != 0 {
		return s.mapFree(hint, length, p), false
	}
	at := hint
	if x.resumed(f) {
		at = x.progress.at
	}
	next, errno := s.replace(at, hint+length, p)
	if errno != 0 {
		return x.finish(-errno)
	}
	return x.goOn(f, next, hint+length, int64(hint))
}

func roundUp(n uintptr) uintptr { return (n + pageMask) &^ pageMask }

// programRange reports whether a range begins on a page and lies in the part of
// the address space that programs may map.
func programRange(start, length uint64) bool {
	return start&pageMask == 0 && start >= programLow && start < boot.ImageBase && length <= boot.ImageBase-start
}

// excessive reports whether a program asks for more memory that it may use than the
// machine has: that could never be met.
func excessive(length uint64, p process.Protection) bool {
	return p != 0 && length > machine.MemoryBytes()
}
