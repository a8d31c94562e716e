package kernel

import (
	"hearth/boot"
	"hearth/process"
	"unsafe"
)

// imageProcess is the id of the image's own process.
const imageProcess = 1

func contextID(word uint64) process.ContextID { return process.ContextID(int32(word)) }

// archPrctl sets or tells the FS base, which holds a Go program's TLS.
func archPrctl(f *frame) int64 {
	const setFS, getFS = 0x1002, 0x1003
	switch f.di {
	case setFS:
		f.fs = f.si
		return 0
	case getFS:
		if !programSpace.copyOut(uintptr(f.si), unsafe.Pointer(&f.fs), 8) {
			return -eFAULT
		}
		return 0
	}
	return -eINVAL
}

// getcpu tells the program which CPU it ran on a moment ago.
func (c *perCPU) getcpu(to uintptr) int64 {
	id := uint32(c.id)
	if to != 0 && !programSpace.copyOut(to, unsafe.Pointer(&id), 4) {
		return -eFAULT
	}
	return 0
}

// getrandom fills up to 256 bytes from the CPU's generator.
func getrandom(to uintptr, n uint64) int64 {
	var words [32]uint64
	n = min(n, uint64(len(words)*8))
	for i := 0; i < int(n+7)/8; i++ {
		words[i] = randomWord()
	}
	if !programSpace.copyOut(to, unsafe.Pointer(&words), uintptr(n)) {
		return -eFAULT
	}
	return int64(n)
}

// randomWord asks the CPU's generator, which may run dry for a moment; a CPU
// without one gives its time stamp, stirred.
func randomWord() uint64 {
	if hasRandom {
		for i := 0; i < 100; i++ {
			if word, ok := boot.Random(); ok {
				return word
			}
			boot.Pause()
		}
	}
	const odd = 0x9e3779b97f4a7c15
	word := boot.ReadTSC() * odd
	return (word ^ word>>29) * odd
}

// fcntl answers what the runtime asks at its start: whether 0 to 2 are open,
// and how.
func fcntl(fd, command uint64) int64 {
	const getFlags, readWrite = 3, 2
	if fd >= files || fd >= consoles && fileTable[fd].kind == fileFree {
		return -eBADF
	}
	if command == getFlags {
		return readWrite
	}
	return 0
}

// prlimit tells that nothing is limited but descriptors; nothing can be set.
func prlimit(target, resource uint64, set, old uintptr) int64 {
	const descriptors, limits = 7, 16
	if resource >= limits || set != 0 && resource != descriptors {
		return -eINVAL
	}
	limit := [2]uint64{^uint64(0), ^uint64(0)}
	if resource == descriptors {
		limit = [2]uint64{files, files}
	}
	if old != 0 && !programSpace.copyOut(old, unsafe.Pointer(&limit), unsafe.Sizeof(limit)) {
		return -eFAULT
	}
	return 0
}
