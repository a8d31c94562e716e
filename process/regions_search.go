package process

// FindFree returns the start of a free span of length bytes, whole pages, within
// [low, high), false if there is none. If the span at hint is free and within
// bounds it is that one, otherwise what a [Search] finds.
func (r *Regions) FindFree(hint, length, low, high uint64) (uint64, bool) {
	s := Search{Low: low, High: high, Length: length}
	if s.fits() && hint%PageSize == 0 && hint >= low && hint <= high-length && r.IsFree(hint, length) {
		return hint, true
	}
	for {
		if at, outcome := r.Search(&s, MaxRegions); outcome != SearchMore {
			return at, outcome == SearchFound
		}
	}
}

// IsFree reports whether nothing is mapped in length bytes from start.
func (r *Regions) IsFree(start, length uint64) bool {
	i := r.above(start)
	return i == r.count || r.at(i).Start >= start+length
}

// Search looks for a free span: the first one behind where the last search ended,
// which spreads mappings and makes stale addresses fault longer, and then from the
// bottom. Regions may change between its steps.
type Search struct {
	Low, High uint64 // where the span must lie
	Length    uint64 // in bytes
	Align     uint64 // a power of two that the span begins at a multiple of; 0: any page
	At        uint64 // where the search goes on
	Leg       int64  // 0 it begins, 1 it is behind the last one's end, 2 it goes over all
}

// SearchOutcome is what a step of a search ended with.
type SearchOutcome uint8

// The outcomes of a step.
const (
	SearchNone  SearchOutcome = iota // there is no such span
	SearchFound                      // here it is
	SearchMore                       // not yet known
)

// fits reports whether the span could lie within the bounds at all.
func (s *Search) fits() bool {
	checkSpan(s.Low, s.High)
	checkSpan(0, s.Length)
	return s.Length <= s.High-s.Low
}

// aligned returns the first address from at on where the span may begin.
func (s *Search) aligned(at uint64) uint64 {
	mask := max(s.Align, 1) - 1
	return (at + mask) &^ mask
}

// Search takes a step of a search, in which it looks at no more regions than given.
func (r *Regions) Search(s *Search, regions int) (start uint64, outcome SearchOutcome) {
	if !s.fits() {
		return 0, SearchNone
	}
	if s.Leg == 0 {
		s.Leg, s.At = 1, min(max(r.next, s.Low), s.High)
	}
	for i := r.above(s.At); regions > 0; regions-- {
		s.At = s.aligned(s.At)
		switch {
		case s.At > s.High || s.High-s.At < s.Length:
			if s.Leg == 2 {
				return 0, SearchNone
			}
			s.Leg, s.At = 2, s.Low
			i = r.above(s.At)
		case i == r.count || r.at(i).Start >= s.At+s.Length:
			r.next = s.At + s.Length
			return s.At, SearchFound
		default:
			s.At = max(s.At, r.at(i).End)
			i++
		}
	}
	return 0, SearchMore
}
