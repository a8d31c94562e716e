package boot

import "unsafe"

// segment is an ELF64 program header, as far as mapping needs it.
type segment struct {
	kind, flags               uint32
	offset, address, physical uint64
	fileSize, size, alignment uint64
}

// imageEnd returns the physical end of the image, its bss included.
func imageEnd() uint64 {
	end := uint64(0)
	for i := 0; i < segmentCount(); i++ {
		if s := segmentAt(i); s.loaded() && s.address+s.size > end {
			end = s.address + s.size
		}
	}
	return (end - ImageBase + loadAddress() + PageSize - 1) &^ (PageSize - 1)
}

// The image's ELF header and program headers stand at ImageBase.
func segmentCount() int { return int(*(*uint16)(unsafe.Pointer(uintptr(ImageBase + 56)))) }

func segmentAt(i int) *segment {
	return (*segment)(unsafe.Pointer(uintptr(ImageBase) + 64 + uintptr(i)*unsafe.Sizeof(segment{})))
}

func (s *segment) loaded() bool { return s.kind == 1 && s.address >= ImageBase }

// bits returns how a segment is mapped: text may be executed, data written,
// nothing both.
func (s *segment) bits() uint64 {
	const execute, write = 1, 2
	switch {
	case s.flags&execute != 0:
		return Present | global
	case s.flags&write != 0:
		return Present | global | Writable | NoExecute
	}
	return Present | global | NoExecute
}

func mapImage() bool {
	for i := 0; i < segmentCount(); i++ {
		s := segmentAt(i)
		if !s.loaded() {
			continue
		}
		start := s.address &^ (PageSize - 1)
		end := (s.address + s.size + PageSize - 1) &^ (PageSize - 1)
		if !mapRange(uintptr(start), start-ImageBase+loadAddress(), end-start, s.bits()) {
			return false
		}
	}
	return true
}

// InImage reports whether an address lies in a part of the image that a
// program may read, or write.
func InImage(address uintptr, write bool) bool {
	for i := 0; i < segmentCount(); i++ {
		s := segmentAt(i)
		if !s.loaded() || write && s.bits()&Writable == 0 {
			continue
		}
		if uint64(address) >= s.address && uint64(address) < s.address+s.size {
			return true
		}
	}
	return false
}

// ImageBytes returns the size of the loaded image, its bss included.
func ImageBytes() uint64 { return imageEnd() - loadAddress() }
