package boot

// Changes of a range go in pieces of bounded work: Extent says how far a piece
// may go, Clear and SetRange then do it.

// Work is counted in units of some 40 instructions. Taking a page out and giving
// its frame back is one, so a piece has at most as many pages.
const (
	pieceWork   = 256
	looseFrames = pieceWork + 8
	skipWork    = 1 // an entry that leads nowhere
	largeWork   = 4
	tableWork   = 4 // a last-level table, and those above it, for the way there
	scanned     = 8 // entries of a last-level table looked at in a unit
)

// Loose is what a piece took out of the tables: pages and empty tables. They go
// back to [RAM] once no TLB holds them.
type Loose struct {
	list [looseFrames]uint64 // physical addresses, bit 0: a whole block
	n    int
}

// Empty reports whether there is nothing to give back, and no TLB to flush.
func (l *Loose) Empty() bool { return l.n == 0 }

func (l *Loose) add(physical uint64) {
	l.list[l.n] = physical
	l.n++
}

// Return gives everything back.
func (l *Loose) Return() {
	RAM.acquire()
	for i := 0; i < l.n; i++ {
		if physical := l.list[i]; physical&1 != 0 {
			RAM.putBlock(physical &^ 1)
		} else {
			RAM.put(physical)
		}
	}
	RAM.release()
	l.n = 0
}

// Extent returns where a piece that begins at an address and wants to reach end
// has to stop. It is a boundary of pages, beyond at; large pages are not cut, unless
// by at or end.
func (t *Tables) Extent(at, end uintptr) uintptr {
	var p path
	for left := pieceWork; at < end && left > 0; {
		level := t.walk(at, &p)
		next := min(end, (at+spanOf(max(level, 1)))&^(spanOf(max(level, 1))-1))
		switch {
		case level == 0:
			pages := int((next - at) / PageSize)
			used := int(*p[1] >> usedShift & usedMask)
			if left -= tableWork + pages/scanned + min(used, pages); left < 0 {
				// What there was room for, if every entry is in use.
				room := left + pages/scanned + min(used, pages)
				return at + uintptr(max(room, 0)*scanned/(scanned+1))*PageSize
			}
		case *p[level] != 0:
			left -= largeWork
		default:
			left -= skipWork
		}
		at = next
	}
	return at
}

// Clear takes the pages of [at, end) out. The range is a piece, of which neither
// end cuts a large page.
func (t *Tables) Clear(at, end uintptr, loose *Loose) {
	var p path
	for at < end {
		level := t.walk(at, &p)
		step := max(level, 1)
		next := min(end, (at+spanOf(step))&^(spanOf(step)-1))
		switch {
		case level == 0:
			n := t.clearSmall(&p, at, next, loose)
			t.Small -= uint64(n)
			t.prune(&p, 0, n, loose)
		case *p[level] != 0:
			loose.add(*p[1]&AddressMask | 1)
			*p[1] = 0
			t.Large--
			t.prune(&p, 1, 1, loose)
		}
		at = next
	}
}

// clearSmall empties entries of one last-level table and returns how many.
func (t *Tables) clearSmall(p *path, at, end uintptr, loose *Loose) (n int) {
	small := tableAt(*p[1] & AddressMask)
	left := int(*p[1] >> usedShift & usedMask)
	for i := slotOf(at, 0); at < end && n < left; at, i = at+PageSize, i+1 {
		if entry := small[i&511]; entry != 0 {
			loose.add(entry & AddressMask)
			small[i&511] = 0
			n++
		}
	}
	return n
}

// prune counts n entries of the table at a level on the way as empty, and takes out
// every table that thereby is.
func (t *Tables) prune(p *path, level, n int, loose *Loose) {
	for l := level + 1; l <= 3 && n > 0; l++ {
		*p[l] -= uint64(n) * usedOne
		n = 0
		if *p[l]>>usedShift&usedMask == 0 {
			loose.add(*p[l] & AddressMask)
			*p[l] = 0
			t.Count--
			n = 1
		}
	}
}

// SetRange gives the pages of [at, end) protection bits and reports whether there
// were any. The range is a piece, of which neither end cuts a large page.
func (t *Tables) SetRange(at, end uintptr, bits uint64) (changed bool) {
	var p path
	for at < end {
		level := t.walk(at, &p)
		step := max(level, 1)
		next := min(end, (at+spanOf(step))&^(spanOf(step)-1))
		switch {
		case level == 0:
			small := tableAt(*p[1] & AddressMask)
			for i := slotOf(at, 0); at < next; at, i = at+PageSize, i+1 {
				if entry := small[i&511]; entry != 0 {
					small[i&511] = entry&AddressMask | bits
					changed = true
				}
			}
		case *p[level] != 0:
			*p[1] = *p[1]&(AddressMask|largePage) | bits
			changed = true
		}
		at = next
	}
	return changed
}
