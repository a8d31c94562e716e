package kernel

import (
	"hearth/cpu"
	"math/bits"
	"unsafe"
)

// How long kernel entries take, by what they were for: from where the kernel's
// Go code begins to where it goes back into a program or halts. What comes after
// a halt is an entry of its own, of the interrupt that ended it.

// Kinds of entries: Linux's system calls by number, Hearth's own, and vectors.
const (
	kindLinux   = 0
	kindHearth  = 512
	kindVector  = 576
	kindOther   = kindVector + 67 // a vector above those in use
	kindBoot    = kindVector + 68 // what a CPU does before its first context
	kindGoingOn = kindVector + 69 // what an entry left undone, no interrupt having come
	kinds       = kindVector + 70
	kindUnknown = kindHearth - 1 // a call number that has no kind of its own
)

// Bucket n of a kind counts entries shorter than shortest<<n TSC ticks that fit
// into no bucket before it; the last one also those that are longer.
const (
	lengthBuckets = 16
	shortestBits  = 7
)

// lengths is what a CPU keeps of one kind; only that CPU writes it.
type lengths struct {
	longest uint64 // TSC ticks
	buckets [lengthBuckets]uint32
}

// begin starts the clock of a kernel entry and tells it the time.
func (c *perCPU) begin(kind int) {
	c.beganTicks = c.ticks()
	c.kind = int32(kind)
	c.entry = timeOf(c.beganTicks)
}

// end stops it.
func (c *perCPU) end() {
	l := &c.lengths[c.kind]
	ticks := c.ticks() - c.beganTicks
	l.longest = max(l.longest, ticks)
	l.buckets[min(bits.Len64(ticks>>shortestBits), lengthBuckets-1)]++
}

// kindOfCall returns the kind of a system call's entries.
func kindOfCall(number uint64) int {
	switch {
	case number < kindUnknown:
		return int(number)
	case number-callHello < kindVector-kindHearth:
		return kindHearth + int(number-callHello)
	}
	return kindUnknown
}

func kindOfVector(vector uint64) int { return kindVector + int(min(vector, kindOther-kindVector)) }

// lengthReport is what the lengths call tells of one kind, in nanoseconds.
type lengthReport struct {
	count   uint64
	longest uint64
	buckets [lengthBuckets]uint64
	bound   [lengthBuckets]uint64 // the time below which bucket n's entries took
}

// tellCPUs is over how many CPUs one call tells.
const tellCPUs = 32

// tellLengths writes what is known of one kind, over tellCPUs CPUs from first on,
// and returns how many kinds there are.
func tellLengths(kind uint64, to uintptr, size, first uint64) int64 {
	if kind >= kinds || first >= uint64(onlineCount) {
		return -eINVAL
	}
	var r lengthReport
	for id := int(first); id < min(int(first)+tellCPUs, onlineCount); id++ {
		l := &cpuAt(cpu.ID(id)).lengths[kind]
		r.longest = max(r.longest, l.longest)
		for i, n := range l.buckets {
			r.buckets[i] += uint64(n)
			r.count += uint64(n)
		}
	}
	r.longest = uint64(clock.Nanoseconds(r.longest))
	for i := range r.bound {
		r.bound[i] = uint64(clock.Nanoseconds(1 << (shortestBits + i)))
	}
	n := min(uintptr(size), unsafe.Sizeof(r))
	if !programSpace.copyOut(to, unsafe.Pointer(&r), n) {
		return -eFAULT
	}
	return kinds
}
