package boot

import (
	"math/bits"
	"sync/atomic"
)

// Frames hands out the page frames of RAM. They are kept in blocks of 2 MiB, one
// large page each: single frames come from blocks that are partly used, so that
// whole ones last, and a block of which every frame came back is whole again.
// Every operation but TakeRun takes the same short time however much RAM there
// is.
type Frames struct {
	lock   atomic.Uint32
	partly int32 // lists of blocks: some frames free,
	whole  int32 // and all 512
	free   uint64
	total  uint64

	descriptors uint64 // physical address of the blocks' descriptors; 0 is unused
	spans       [MaxRanges]span
	count       int
}

// RAM is the machine's page frames; [Prepare] fills it.
var RAM Frames

// reserve is how many frames only [Frames.TakeReserved] hands out: the kernel
// needs them where it cannot give up, each for a moment.
const reserve = 64

type frameFault struct{ text string }

// Error returns the rule that was broken.
func (f *frameFault) Error() string { return f.text }

var (
	faultNoFrame  = frameFault{"boot: a frame came back that is not RAM of the kernel's"}
	faultReturned = frameFault{"boot: a frame came back that is free"}
)

func (f *Frames) acquire() {
	for !f.lock.CompareAndSwap(0, 1) {
		Pause()
	}
}

func (f *Frames) release() { f.lock.Store(0) }

// Take returns the physical address of a frame whose content is undefined, or
// 0 when no RAM is left but the reserve.
func (f *Frames) Take() uint64 { return f.takeLeaving(reserve) }

// TakeReserved is Take for a need that must not fail: it may use the reserve.
func (f *Frames) TakeReserved() uint64 { return f.takeLeaving(0) }

func (f *Frames) takeLeaving(leave uint64) uint64 {
	frame := uint64(0)
	f.acquire()
	if f.free > leave {
		frame = f.take()
	}
	f.release()
	return frame
}

// take takes a frame of a block that is in use already, of a whole one else. The
// caller has seen that there is one, and holds the lock.
func (f *Frames) take() uint64 {
	i := f.partly
	if i == 0 {
		i = f.whole
	}
	if i == 0 {
		return 0
	}
	b := f.at(i)
	w := 0
	for b.free[w] == 0 {
		w++
	}
	bit := bits.TrailingZeros64(b.free[w])
	f.change(i, w, 1<<bit, false)
	return uint64(b.number)<<blockShift + uint64(w*64+bit)*PageSize
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
	one := [1]uint64{frame}
	f.acquire()
	f.putAll(one[:])
	f.release()
}

// TakeBlock returns the physical address of a whole block, aligned to its size,
// or 0 when there is none or fewer than leave frames would remain.
func (f *Frames) TakeBlock(leave uint64) uint64 {
	block := uint64(0)
	f.acquire()
	if i := f.whole; i != 0 && f.free >= leave+blockFrames {
		f.empty(i)
		block = uint64(f.at(i).number) << blockShift
	}
	f.release()
	return block
}

// ReturnBlock takes a whole block back; nobody may reach it any more.
func (f *Frames) ReturnBlock(block uint64) {
	f.acquire()
	f.putBlock(block)
	f.release()
}

// Free returns how many frames are free, the reserve included.
func (f *Frames) Free() uint64 {
	f.acquire()
	n := f.free
	f.release()
	return n
}

// Total returns how many frames the machine had for the kernel to hand out.
func (f *Frames) Total() uint64 { return f.total }
