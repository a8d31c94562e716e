package kernel

import (
	"hearth/boot"
	"unsafe"
)

// memoryUse is what the memory call tells: where the RAM is that the kernel hands
// out, in bytes.
type memoryUse struct {
	total, free            uint64
	program, large, tables uint64
	kernel                 uint64
	regions                uint64 // a number
}

// tellMemory writes how memory is used and returns how many bytes it wrote.
func tellMemory(to uintptr, size uint64) int64 {
	var m memoryUse
	m.count(&programSpace)
	n := min(uintptr(size), unsafe.Sizeof(m))
	if !programSpace.copyOut(to, unsafe.Pointer(&m), n) {
		return -eFAULT
	}
	return int64(n)
}

// count reads under the space's lock, so that what moves between the program and
// RAM is seen once. What the stocks hold counts as free: who runs short gets it.
func (m *memoryUse) count(s *space) {
	s.lock.lock()
	m.total, m.free = boot.RAM.Total()*boot.PageSize, (boot.RAM.Free()+stocked())*boot.PageSize
	m.large = s.tables.Large * boot.BlockSize
	m.program = s.tables.Small*boot.PageSize + m.large
	m.tables = s.tables.Count * boot.PageSize
	m.regions = uint64(s.regions.Count())
	s.lock.unlock()
	m.kernel = m.total - m.free - m.program - m.tables
}
