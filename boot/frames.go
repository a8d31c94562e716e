package boot

import (
	"sync/atomic"
	"unsafe"
)

// Frames hands out physical page frames of RAM. Frames that came back are used
// first; they are linked through their own first words.
type Frames struct {
	lock     atomic.Uint32
	returned uint64 // the newest returned frame, 0: none
	next     uint64 // the next frame never handed out in range current
	current  int
	free     uint64
	total    uint64
	ranges   [MaxRanges]Range
	count    int
}

// RAM is the machine's page frames; [Prepare] fills it.
var RAM Frames

// add gives the frames of a range, less what the image and the first mebibyte
// take, to the allocator.
func (f *Frames) add(r Range, imageStart, imageEnd uint64) {
	start := (r.Start + PageSize - 1) &^ (PageSize - 1)
	end := r.End &^ (PageSize - 1)
	if start < lowMemory {
		start = lowMemory
	}
	if start < imageEnd && imageStart < end {
		f.addPlain(start, imageStart)
		start = imageEnd
	}
	f.addPlain(start, end)
}

func (f *Frames) addPlain(start, end uint64) {
	if start >= end || f.count == len(f.ranges) {
		return
	}
	f.ranges[f.count] = Range{Start: start, End: end}
	f.count++
	f.total += (end - start) / PageSize
	f.free = f.total
	if f.count == 1 {
		f.next = start
	}
}

func (f *Frames) acquire() {
	for !f.lock.CompareAndSwap(0, 1) {
		Pause()
	}
}

func (f *Frames) release() { f.lock.Store(0) }

// Take returns the physical address of a frame whose content is undefined, or
// 0 when no RAM is left.
func (f *Frames) Take() uint64 {
	f.acquire()
	frame := f.take()
	f.release()
	return frame
}

func (f *Frames) take() uint64 {
	if frame := f.returned; frame != 0 {
		f.returned = *(*uint64)(unsafe.Pointer(Direct(frame)))
		f.free--
		return frame
	}
	for f.current < f.count {
		if frame := f.next; frame < f.ranges[f.current].End {
			f.next += PageSize
			f.free--
			return frame
		}
		f.current++
		if f.current < f.count {
			f.next = f.ranges[f.current].Start
		}
	}
	return 0
}

// TakeClear returns a frame filled with zeroes, or 0 when no RAM is left.
func (f *Frames) TakeClear() uint64 {
	frame := f.Take()
	if frame != 0 {
		ClearPage(frame)
	}
	return frame
}

// Return takes a frame back; nobody may reach it any more, through any TLB.
func (f *Frames) Return(frame uint64) {
	f.acquire()
	*(*uint64)(unsafe.Pointer(Direct(frame))) = f.returned
	f.returned = frame
	f.free++
	f.release()
}

// TakeRun returns the first of n neighbouring frames never handed out before,
// or 0. It serves the kernel's own large tables at boot.
func (f *Frames) TakeRun(n uint64) uint64 {
	f.acquire()
	run := uint64(0)
	for f.current < f.count {
		if f.next+n*PageSize <= f.ranges[f.current].End {
			run = f.next
			f.next += n * PageSize
			f.free -= n
			break
		}
		// The rest of the range is too short: give its frames to the list.
		for f.next < f.ranges[f.current].End {
			*(*uint64)(unsafe.Pointer(Direct(f.next))) = f.returned
			f.returned = f.next
			f.next += PageSize
		}
		f.current++
		if f.current < f.count {
			f.next = f.ranges[f.current].Start
		}
	}
	f.release()
	return run
}

// Free returns how many frames are free.
func (f *Frames) Free() uint64 {
	f.acquire()
	n := f.free
	f.release()
	return n
}

// Total returns how many frames the machine had for the kernel to hand out.
func (f *Frames) Total() uint64 { return f.total }
