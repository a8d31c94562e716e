package boot

// Bits of a page table entry.
const (
	Present     = 1 << 0
	Writable    = 1 << 1
	uncached    = 1<<3 | 1<<4
	largePage   = 1 << 7
	global      = 1 << 8
	NoExecute   = 1 << 63
	AddressMask = 0x000ffffffffff000
)

// lowMemory is the end of the memory that real-mode code and firmware share;
// only the trampoline of secondaries uses it.
const lowMemory = 1 << 20

// Root is the physical address of the kernel's own top-level page table.
var Root uint64

// slot returns the entry of va in the table of a level (3 the top, 0 the last),
// making tables on the way; nil when no frame is left.
func slot(root uint64, va uintptr, level int) *uint64 {
	frame := root
	for l := 3; ; l-- {
		entry := &tableAt(frame)[va>>(12+9*uint(l))&511]
		if l == level {
			return entry
		}
		if *entry&Present == 0 {
			next := RAM.TakeClear()
			if next == 0 {
				return nil
			}
			*entry = next | Present | Writable
		}
		frame = *entry & AddressMask
	}
}

// mapRange maps [va, va+size) to physical memory, in large pages where both
// sides are aligned. False when no frame is left for a table.
func mapRange(va uintptr, physical, size, bits uint64) bool {
	const large = 1 << 21
	for size > 0 {
		step, level, kind := uint64(PageSize), 0, uint64(0)
		if va&(large-1) == 0 && physical&(large-1) == 0 && size >= large {
			step, level, kind = large, 1, largePage
		}
		entry := slot(Root, va, level)
		if entry == nil {
			return false
		}
		*entry = physical | bits | kind
		va += uintptr(step)
		physical += step
		size -= min(step, size)
	}
	return true
}

// mapRAM makes the direct map: all RAM, writable, never executable, without
// the image, which has no second, writable face.
func mapRAM(info *Info, imageStart, imageEnd uint64) bool {
	for i := 0; i < info.MemoryCount; i++ {
		r := info.Memory[i]
		start := (r.Start + PageSize - 1) &^ (PageSize - 1)
		end := r.End &^ (PageSize - 1)
		if start < imageEnd && imageStart < end {
			if start < imageStart && !mapDirect(start, imageStart) {
				return false
			}
			start = imageEnd
		}
		if start < end && !mapDirect(start, end) {
			return false
		}
	}
	return true
}

func mapDirect(start, end uint64) bool {
	return mapRange(DirectBase+uintptr(start), start, end-start, Present|Writable|global|NoExecute)
}

// MapDevice maps the registers at a physical address, uncached, and returns
// where the kernel reaches them; 0 when no frame is left for a table. It is
// for boot: the tables must not be shared yet.
func MapDevice(physical, size uint64) uintptr {
	start := physical &^ (PageSize - 1)
	end := (physical + size + PageSize - 1) &^ (PageSize - 1)
	if !mapRange(DeviceBase+uintptr(start), start, end-start, Present|Writable|uncached|global|NoExecute) {
		return 0
	}
	return DeviceBase + uintptr(physical)
}

// stackStride is the distance between two stacks; the rest of it below a
// stack stays unmapped, as its guard.
const stackStride = 1 << 20

// MapStack makes kernel stack n of the given size in bytes and returns its
// top, or 0 when no frame is left.
func MapStack(n int, size uintptr) uintptr {
	top := StackTop(n)
	for va := top - size; va < top; va += PageSize {
		frame := RAM.TakeClear()
		if frame == 0 || !mapRange(va, frame, PageSize, Present|Writable|global|NoExecute) {
			return 0
		}
	}
	return top
}

// Prepare makes the kernel's page tables and its stock of frames from the
// memory map. They come into force with [EnterTables]. False when RAM is too
// small to hold them.
func Prepare(info *Info) bool {
	image := Range{loadAddress() - scratchSize, imageEnd()}
	if !RAM.prepare(info, image) {
		return false
	}
	Root = RAM.TakeClear()
	return Root != 0 && mapImage() && mapRAM(info, image.Start, image.End)
}

// EnterTables puts the kernel's page tables in force on the boot CPU, and hands
// out the RAM that only they map. The caller must already be on a stack that both
// sets of tables map.
func EnterTables(info *Info) {
	window = DirectBase
	WriteCR3(Root)
	RAM.open(info)
}

// Mapped reports whether the tables in force map an address, at any level.
func Mapped(va uintptr) bool {
	frame := ReadCR3() & AddressMask
	for l := 3; l >= 0; l-- {
		entry := tableAt(frame)[va>>(12+9*uint(l))&511]
		if entry&Present == 0 {
			return false
		}
		if l == 0 || entry&largePage != 0 {
			return true
		}
		frame = entry & AddressMask
	}
	return false
}

// EnableNoExecute lets the calling CPU's page tables forbid execution; the CPU
// floor includes it.
func EnableNoExecute() {
	const efer, noExecute = 0xc0000080, 1 << 11
	WriteMSR(efer, ReadMSR(efer)|noExecute)
}

// TrampolinePage returns a page of RAM below 640 KiB for the secondaries'
// trampoline, 0 if the memory map has none.
func TrampolinePage(info *Info) uint64 {
	const preferred, lowest, highest = 0x8000, 0x1000, 0xa0000
	for i := 0; i < info.MemoryCount; i++ {
		r := info.Memory[i]
		page := (max(r.Start, lowest) + PageSize - 1) &^ (PageSize - 1)
		if page <= preferred && preferred+PageSize <= r.End {
			return preferred
		}
		if page+PageSize <= min(r.End, highest) {
			return page
		}
	}
	return 0
}
