package kernel

import (
	"hearth/boot"
	"hearth/process"
)

// searchRegions is how many regions an entry looks at for free addresses.
const searchRegions = 512

// mapAnywhere maps fresh memory at a hint if that is free, else where there is
// room. The search may take several entries.
func (s *space) mapAnywhere(x *context, f *frame, hint, length uintptr, p process.Protection) (int64, bool) {
	if length > programHigh-programLow {
		return -eNOMEM, false
	}
	s.lock.lock()
	at, outcome := hint, process.SearchFound
	if x.resumed(f) || !s.free(hint, length) {
		at, outcome = s.findRoom(x, length)
	}
	if outcome == process.SearchFound && !s.regions.Map(uint64(at), uint64(at+length), p, 0) {
		outcome = process.SearchNone
	}
	s.lock.unlock()
	switch outcome {
	case process.SearchMore:
		return x.again(f)
	case process.SearchNone:
		return x.finish(-eNOMEM)
	}
	return x.finish(int64(at))
}

// mapFree maps fresh memory at an address, which must be free.
func (s *space) mapFree(at, length uintptr, p process.Protection) (result int64) {
	result = int64(at)
	s.lock.lock()
	if length != 0 && !s.regions.IsFree(uint64(at), uint64(length)) {
		result = -eEXIST
	} else if !s.regions.Map(uint64(at), uint64(at+length), p, 0) {
		result = -eNOMEM
	}
	s.lock.unlock()
	return result
}

// free reports whether a mapping may go to a hint. The caller holds the lock.
func (s *space) free(hint, length uintptr) bool {
	return hint >= programLow && hint <= programHigh-length && s.regions.IsFree(uint64(hint), uint64(length))
}

// findRoom takes a step of a search for free addresses, first from mapBase, then
// in the whole of the program's part; the context keeps how far it has come. What
// may hold a large page begins where one may. The caller holds the lock.
func (s *space) findRoom(x *context, length uintptr) (at uintptr, outcome process.SearchOutcome) {
	const legs, everywhere = 0xff, 0x100
	align, low := uint64(boot.PageSize), uintptr(mapBase)
	if length >= boot.BlockSize {
		align = boot.BlockSize
	}
	if x.progress.sequence&everywhere != 0 {
		align, low = boot.PageSize, programLow
	}
	search := process.Search{
		Low: uint64(low), High: programHigh, Length: uint64(length), Align: align,
		At: uint64(x.progress.at), Leg: int64(x.progress.sequence & legs),
	}
	start, outcome := s.regions.Search(&search, searchRegions)
	switch {
	case outcome == process.SearchFound:
		return uintptr(start), outcome
	case outcome == process.SearchMore:
		x.progress.at = uintptr(search.At)
		x.progress.sequence = x.progress.sequence&everywhere | uint64(search.Leg)
	case low == mapBase:
		x.progress.at, x.progress.sequence = 0, everywhere
		outcome = process.SearchMore
	}
	return 0, outcome
}
