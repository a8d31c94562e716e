package boot

import "unsafe"

// Tables are the page tables of a program's part of an address space. They are
// filled page by page, hold large pages beside small ones, and give back every
// table that becomes empty: the entry of a table counts, in bits that the CPU
// ignores, how many entries are in use behind it. They travel by pointer and have
// no lock.
type Tables struct {
	Root  uint64 // physical address of the top-level table
	Small uint64 // pages of 4 KiB
	Large uint64 // pages of 2 MiB
	Count uint64 // tables, the top-level one included
}

const (
	usedShift = 52 // bits 52 to 61 of a table's entry: entries in use behind it
	usedOne   = 1 << usedShift
	usedMask  = 0x3ff
)

// Init makes tables without a page in the program's part, and the kernel's part
// shared. False when no frame is left.
func (t *Tables) Init() bool {
	root := RAM.TakeClear()
	if root == 0 {
		return false
	}
	from, to := tableAt(Root), tableAt(root)
	for i := firstKernelSlot; i < len(to); i++ {
		to[i] = from[i]
	}
	*t = Tables{Root: root, Count: 1}
	return true
}

// path is the addresses of the entries on the way to an address, by level; those
// below the level at which the way ends are not valid. They are no pointers, of
// which the collector would want to hear.
type path [4]uintptr

// at returns the entry of a level.
func (p *path) at(level int) *uint64 { return entryAt(p[level]) }

//go:nocheckptr
func entryAt(address uintptr) *uint64 { return (*uint64)(unsafe.Pointer(address)) }

// entryOf returns the address of va's entry in a table of a level.
func entryOf(table uint64, va uintptr, level int) uintptr {
	return Direct(table) + slotOf(va, level)*8
}

func slotOf(va uintptr, level int) uintptr { return va >> ((12 + 9*uint(level)) & 63) & 511 }

// spanOf is how much an entry of a level maps, in bytes.
func spanOf(level int) uintptr { return PageSize << ((9 * uint(level)) & 63) }

// isTable tells an entry above the last level that leads to a table from one
// that is empty or a large page, present or not.
func isTable(entry uint64) bool { return entry&(Present|largePage) == Present }

// walk follows the tables to an address and returns the level of the entry at
// which the way ends: 0 in a last-level table, else an empty entry or a large page.
func (t *Tables) walk(va uintptr, p *path) (level int) {
	frame := t.Root
	for level = 3; ; level-- {
		p[level] = entryOf(frame, va, level)
		entry := *p.at(level)
		if level == 0 || !isTable(entry) {
			return level
		}
		frame = entry & AddressMask
	}
}

// Page is what the tables hold for an address.
type Page struct {
	Physical uint64 // of the address itself, 0: no page
	Bits     uint64 // the protection bits of its entry; without Present the page is kept, but not mapped
	Large    bool
	Fits     bool // there is no page, and nothing is in the way of a large one
}

const protectionBits = Present | Writable | NoExecute

// Look returns what the tables hold for an address.
func (t *Tables) Look(va uintptr, to *Page) {
	var p path
	level := t.walk(va, &p)
	entry := *p.at(level)
	*to = Page{Fits: level >= 1 && entry == 0}
	if entry != 0 {
		within := uint64(va & (spanOf(level) - 1))
		to.Physical, to.Bits, to.Large = entry&AddressMask+within, entry&protectionBits, level == 1
	}
}

// Put gives an address, which has no page, one: a small one or, at level 1, a
// large one. False when no frame is left for a table.
func (t *Tables) Put(va uintptr, physical, bits uint64, level int) bool {
	frame := t.Root
	var parent *uint64
	for l := 3; ; l-- {
		entry := &tableAt(frame)[slotOf(va, l)]
		if *entry == 0 {
			value := physical | bits
			if l > level {
				next := RAM.TakeClear()
				if next == 0 {
					return false
				}
				value = next | Present | Writable
				t.Count++
			}
			*entry = value
			if parent != nil {
				*parent += usedOne
			}
		}
		if l == level {
			break
		}
		parent, frame = entry, *entry&AddressMask
	}
	if level == 0 {
		t.Small++
		return true
	}
	t.Large++
	return true
}

// LargeBits are the bits of a large page with the given protection bits.
func LargeBits(bits uint64) uint64 { return bits | largePage }

// SetBits gives the page of an address, which has one, other protection bits.
func (t *Tables) SetBits(va uintptr, bits uint64) {
	var p path
	level := t.walk(va, &p)
	*p.at(level) = *p.at(level)&(AddressMask|largeAt(level)) | bits
}

func largeAt(level int) uint64 {
	if level == 1 {
		return largePage
	}
	return 0
}

// Split makes small pages with protection bits of the large one around an address,
// so that a change may begin or end there. No CPU may hold its translation any more:
// one that met both sizes may stop the machine. False when no frame is left for a
// table, not even of the reserve.
func (t *Tables) Split(va uintptr, bits uint64) bool {
	frame := RAM.TakeReserved()
	if frame == 0 {
		return false
	}
	var p path
	t.walk(va, &p)
	small, physical := tableAt(frame), *p.at(1)&AddressMask
	for i := range small {
		small[i] = physical + uint64(i)*PageSize | bits
	}
	*p.at(1) = frame | Present | Writable | blockFrames<<usedShift
	t.Large--
	t.Small += blockFrames
	t.Count++
	return true
}
