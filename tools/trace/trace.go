// Package trace reads the trace that a Hearth kernel dumps on its second serial
// port when it ends: fixed records of what was placed, woken, kicked, switched
// and moved, one ring a CPU. It knows the form of the records, not the rules
// that made them; whoever judges a decision compares it with an oracle.
package trace

import (
	"cmp"
	"slices"
	"time"
)

// Dump is one decoded trace.
type Dump struct {
	TSCHz    uint64 // rate of the clock that stamped the records, cycles a second
	Capacity int    // records that a ring holds before it overwrites the oldest
	Rings    []Ring // in the order of the dump
}

// Ring is what one CPU recorded.
type Ring struct {
	CPU     int
	Lost    uint64   // older records that newer ones overwrote
	Records []Record // oldest first
}

// Record is one event as the kernel wrote it. The meaning of Args depends on
// Kind; Fields names them.
type Record struct {
	Time     time.Duration // since boot
	Sequence uint32        // increases along a ring, wraps
	Kind     Kind
	CPU      int   // that wrote the record
	Context  int32 // 0: none
	Thread   int32 // 0: none
	Args     [10]uint32
}

// Kind says what a record records. The names are the design's words.
type Kind uint16

// The kinds; a dump holds no others.
const (
	KindSpawn     Kind = 1 + iota // a thread was placed
	KindCandidate                 // a CPU that a placement considered, just before its spawn
	KindWake                      // a blocked context was posted to its home
	KindKick                      // an interrupt was sent to a CPU
	KindDispatch                  // a context began to run
	KindPreempt                   // a running context was taken off its CPU
	KindMigrate                   // a context was moved between CPUs
	KindIdleEnter                 // a CPU found nothing to run
	KindIdleLeave                 // an interrupt ended the idling
	KindMark                      // a program's own mark
	KindBlock                     // a context began to wait
	KindExit                      // a thread ended
)

// String is the name of the kind as the table shows it.
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kinds) {
		return "unknown"
	}
	return kinds[k].name
}

// Records returns the records of all CPUs in the order of their time; records
// of one CPU keep their order.
func (d *Dump) Records() []Record {
	var all []Record
	for _, r := range d.Rings {
		all = append(all, r.Records...)
	}
	slices.SortStableFunc(all, func(a, b Record) int { return cmp.Compare(a.Time, b.Time) })
	return all
}

// Lost is the number of records that were overwritten, over all CPUs.
func (d *Dump) Lost() uint64 {
	var n uint64
	for _, r := range d.Rings {
		n += r.Lost
	}
	return n
}
