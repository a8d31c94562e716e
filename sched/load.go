package sched

import "hearth/process"

// The load word of a CPU counts what is queued there or in transit to it, so that
// a claim is one compare-and-swap:
//
//	bits 0-15 contexts other than background ones, bits 16-31 background ones,
//	bits 32-63 changes
//
// The count of changes makes a claim fail if anything came or went since the word
// was read, even if the sums are as before.
const (
	loadUnit       = 1
	backgroundUnit = 1 << 16
	changeUnit     = 1 << 32
)

func ordinary(load uint64) uint32   { return uint32(load) & (backgroundUnit - 1) }
func background(load uint64) uint32 { return uint32(load) / backgroundUnit }

func unitOf(b band) uint64 {
	if b == bandBackground {
		return backgroundUnit
	}
	return loadUnit
}

func loaded(load uint64, b band) uint64 { return load + changeUnit + unitOf(b) }

func (h *handle) addLoad(b band)  { h.load.Add(changeUnit + unitOf(b)) }
func (h *handle) dropLoad(b band) { h.load.Add(changeUnit - unitOf(b)) }

// band is a rank of urgency: lower runs first.
type band uint8

const (
	bandRealTime band = iota
	bandFair
	bandBackground

	bands = 3
)

// urgency is a rank of posts, lower is more urgent. A busy CPU heeds some: a post that
// is more urgent than its heed must kick it.
const (
	urgentRealTime int32 = iota
	urgentDue            // a fair context that comes before the current one
	urgentFair
	urgentBackground

	heedAll  = urgentBackground + 1 // every post kicks
	heedNone = urgentRealTime       // no post kicks
)

// urgencyOf returns the urgency of a post of band b, due or not.
func urgencyOf(b band, due bool) int32 {
	switch {
	case b == bandRealTime:
		return urgentRealTime
	case b == bandBackground:
		return urgentBackground
	case due:
		return urgentDue
	}
	return urgentFair
}

func bandOf(class process.Class) band {
	switch class {
	case process.RealTime:
		return bandRealTime
	case process.Background:
		return bandBackground
	}
	return bandFair
}
