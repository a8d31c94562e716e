package kernel

import (
	"hearth/boot"
	"hearth/process"
)

// pieceRegions is how many regions a piece may change.
const pieceRegions = 32

// piece returns where a piece of a change of [at, end) ends, with large pages cut
// where the change begins and ends; 0 when no frame is left for that. The caller
// holds the lock.
func (s *space) piece(at, end uintptr) uintptr {
	if !s.split(at) || !s.split(end) {
		return 0
	}
	limit := uintptr(s.regions.Limit(uint64(at), uint64(end), pieceRegions))
	return s.tables.Extent(at, limit)
}

// split makes small pages of the large one in whose middle an address falls, if it
// does; false when no frame is left for that. Whoever needs the page meanwhile faults
// and waits for the lock, which the caller holds.
func (s *space) split(va uintptr) bool {
	var page boot.Page
	if s.tables.Look(va, &page); va&(boot.BlockSize-1) == 0 || !page.Large {
		return true
	}
	if page.Bits&boot.Present != 0 {
		s.tables.SetBits(va, page.Bits&^boot.Present)
		me().flushAll()
	}
	done := s.tables.Split(va, page.Bits)
	if !done {
		s.tables.SetBits(va, page.Bits)
	}
	return done
}

// remove unmaps a first piece of [at, end) and returns how far it came.
func (s *space) remove(at, end uintptr) (next uintptr, errno int64) {
	s.lock.lock()
	next = s.piece(at, end)
	if next != 0 && s.regions.Unmap(uint64(at), uint64(next)) {
		s.drop(at, next)
	} else {
		errno = eNOMEM
	}
	s.lock.unlock()
	return next, errno
}

// replace makes a first piece of [at, end) fresh memory and returns how far it came.
func (s *space) replace(at, end uintptr, p process.Protection) (next uintptr, errno int64) {
	s.lock.lock()
	next = s.piece(at, end)
	if next != 0 && s.regions.Map(uint64(at), uint64(next), p, 0) {
		s.drop(at, next)
	} else {
		errno = eNOMEM
	}
	s.lock.unlock()
	return next, errno
}

// discard takes the pages of a first piece of [at, end) away, whose regions stay,
// and returns how far it came.
func (s *space) discard(at, end uintptr) (next uintptr, errno int64) {
	s.lock.lock()
	if next = s.piece(at, end); next != 0 {
		s.drop(at, next)
	} else {
		errno = eNOMEM
	}
	s.lock.unlock()
	return next, errno
}

// protect gives a first piece of [at, end) a protection, its pages with their
// content, and returns how far it came.
func (s *space) protect(at, end uintptr, p process.Protection) (next uintptr, errno int64) {
	s.lock.lock()
	next = s.piece(at, end)
	if next != 0 && s.regions.Protect(uint64(at), uint64(next), p) {
		// Without access pages are kept, but not present.
		if s.tables.SetRange(at, next, entryBits(p)) {
			me().flushAll()
		}
	} else {
		errno = eNOMEM
	}
	s.lock.unlock()
	return next, errno
}

// drop takes the pages of a piece out of the tables. Other CPUs may hold
// translations, so frames go back only after the flush. The caller holds the lock.
func (s *space) drop(start, end uintptr) {
	var loose boot.Loose
	s.tables.Clear(start, end, &loose)
	if !loose.Empty() {
		me().flushAll()
		loose.Return()
	}
}
