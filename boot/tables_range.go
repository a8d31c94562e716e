package boot

// Changes of a range go in pieces of bounded work: Extent says how far a piece
// may go, Clear and SetRange then do it.

// Work is counted in units of some 40 instructions. Taking a page out and giving
// its frame back is one, so a piece has at most as many pages.
const (
	pieceWork   = 160
	looseFrames = pieceWork + 8
	walkWork    = 8 // from the top of the tables to an entry that leads nowhere
	skipWork    = 3 // empty entries of one table
	largeWork   = 5
	tableWork   = 6 // a last-level table, and those above it, for the way there
	scanned     = 8 // entries looked at in a unit
)

// Loose is what a piece took out of the tables: pages and empty tables. They go
// back to [RAM] once no TLB holds them.
type Loose struct {
	list [looseFrames]uint64 // as [Frames.putAll] takes them
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
	RAM.putAll(l.list[:l.n])
	RAM.release()
	l.n = 0
}

// cursor goes over the entries of a range, of last-level tables as a whole: each is
// a table, a large page, or empty, at whatever level.
type cursor struct {
	path
	level    int
	at, end  uintptr
	next     uintptr // where what the entry maps ends, or the range
	begun    bool
	siblings bool // the next entry is the one behind, of the same table
}

// more goes on to the next entry, from the top of the tables only if it must.
func (c *cursor) more(t *Tables) bool {
	if c.begun {
		c.at = c.next
	}
	c.begun = true
	if c.at >= c.end {
		return false
	}
	if c.siblings && slotOf(c.at, 1) != 0 {
		c.path[1] += 8
		c.level = 1
		if isTable(*c.path.at(1)) {
			c.level = 0
		}
	} else {
		c.level = t.walk(c.at, &c.path)
	}
	span := max(c.level, 1)
	c.next = min(c.end, (c.at+spanOf(span))&^(spanOf(span)-1))
	c.siblings = span == 1
	if c.siblings && *c.entry() == 0 {
		c.skipEmpty()
	}
	return true
}

// entry returns the entry that the cursor is at: of the table, where that is a
// last-level one.
func (c *cursor) entry() *uint64 { return c.path.at(max(c.level, 1)) }

// skipEmpty joins the empty entries behind an empty one to it.
func (c *cursor) skipEmpty() {
	last, next, end := c.path[1], c.next, c.end
	for next < end && slotOf(next, 1) != 0 {
		if *entryAt(last + 8) != 0 {
			break
		}
		last, next = last+8, next+BlockSize
	}
	c.path[1], c.next = last, min(next, end)
}

// Extent returns where a piece that begins at an address and wants to reach end
// has to stop. It is a boundary of pages, beyond at; large pages are not cut, unless
// by at or end.
func (t *Tables) Extent(at, end uintptr) uintptr {
	c := cursor{at: at, end: end}
	for left := pieceWork; left > 0 && c.more(t); {
		switch {
		case c.level == 0:
			pages := int((c.next - c.at) / PageSize)
			used := min(int(*c.entry()>>usedShift&usedMask), pages)
			if left -= tableWork + pages/scanned + used; left < 0 {
				// What there was room for, if every entry is in use.
				room := max(left+pages/scanned+used, 0)
				return c.at + uintptr(room*scanned/(scanned+1))*PageSize
			}
		case *c.entry() != 0:
			left -= largeWork
		default:
			left -= walkWork
			if c.siblings {
				left += walkWork - skipWork - int((c.next-c.at)/BlockSize/scanned)
			}
		}
		at = c.next
	}
	return at
}

// Clear takes the pages of [at, end) out. The range is a piece, of which neither
// end cuts a large page.
func (t *Tables) Clear(at, end uintptr, loose *Loose) {
	for c := (cursor{at: at, end: end}); c.more(t); {
		switch {
		case c.level == 0:
			n := clearSmall(&c, loose)
			t.Small -= uint64(n)
			t.prune(&c.path, 0, n, loose)
		case *c.entry() != 0:
			loose.add(*c.entry()&AddressMask | wholeBlock)
			*c.entry() = 0
			t.Large--
			t.prune(&c.path, 1, 1, loose)
		}
	}
}

// small returns the entries of the last-level table that the cursor is at.
func (c *cursor) small() []uint64 {
	first := slotOf(c.at, 0)
	return tableAt(*c.entry() & AddressMask)[first : first+(c.next-c.at)/PageSize]
}

// clearSmall empties entries of one last-level table and returns how many.
func clearSmall(c *cursor, loose *Loose) (n int) {
	left := int(*c.entry() >> usedShift & usedMask)
	entries := c.small()
	for i, entry := range entries {
		if entry == 0 {
			continue
		}
		loose.add(entry & AddressMask)
		entries[i] = 0
		if n++; n == left {
			break
		}
	}
	return n
}

// prune counts n entries of the table at a level on the way as empty, and takes out
// every table that thereby is.
func (t *Tables) prune(p *path, level, n int, loose *Loose) {
	for l := level + 1; l <= 3 && n > 0; l++ {
		entry := p.at(l)
		*entry -= uint64(n) * usedOne
		n = 0
		if *entry>>usedShift&usedMask == 0 {
			loose.add(*entry & AddressMask)
			*entry = 0
			t.Count--
			n = 1
		}
	}
}

// SetRange gives the pages of [at, end) protection bits and reports whether there
// were any. The range is a piece, of which neither end cuts a large page.
func (t *Tables) SetRange(at, end uintptr, bits uint64) (changed bool) {
	for c := (cursor{at: at, end: end}); c.more(t); {
		switch {
		case c.level == 0:
			entries := c.small()
			for i, entry := range entries {
				if entry != 0 {
					entries[i] = entry&AddressMask | bits
					changed = true
				}
			}
		case *c.entry() != 0:
			*c.entry() = *c.entry()&(AddressMask|largePage) | bits
			changed = true
		}
	}
	return changed
}
