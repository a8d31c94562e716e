package kernel

import (
	"hearth/boot"
	"hearth/process"
	"unsafe"
)

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

func (s *space) copy(program, kernel, n uintptr, use process.Protection) bool {
	s.lock.lock()
	done := true
	for n > 0 {
		step := min(n, boot.PageSize-program&pageMask)
		at := s.place(program, use)
		if at == 0 {
			done = false
			break
		}
		if use == process.Writable {
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

// place returns where the kernel finds any address that a program may pass to a
// call: its own memory, or the image's, which the kernel's tables map; 0 when the
// program itself may not use it. The caller holds the lock.
func (s *space) place(address uintptr, use process.Protection) uintptr {
	if address < boot.ImageBase {
		return s.reach(address, use)
	}
	if boot.InImage(address, use&process.Writable != 0) {
		return address
	}
	return 0
}

// reach returns where the kernel finds a program's address, through the direct
// map, so that reading or writing it cannot fault; 0 when the program itself
// may not. The caller holds the lock.
func (s *space) reach(address uintptr, use process.Protection) uintptr {
	k := &stocks[me().id]
	for k.large = false; ; {
		physical, a := s.touch(address, use, k)
		switch a {
		case accessGiven:
			return boot.Direct(physical)
		case accessRefused:
			return 0
		}
		if a == accessNoRAM || !k.fillPage() {
			makeRoom()
		}
	}
}

func copyBytes(to, from, n uintptr) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(to)), n), unsafe.Slice((*byte)(unsafe.Pointer(from)), n))
}
