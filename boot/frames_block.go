package boot

import (
	"math/bits"
	"unsafe"
)

const (
	blockShift  = 21
	blockFrames = BlockSize / PageSize
)

// BlockSize is the size of a block of frames and of a large page, in bytes.
const BlockSize = 1 << blockShift

// block describes 2 MiB of physical memory. Frames that are no RAM, or that the
// kernel took before there was an allocator, are never free.
type block struct {
	free           [blockFrames / 64]uint64 // a bit for each free frame
	count          uint32                   // of them
	number         uint32                   // which 2 MiB of physical memory
	next, previous int32                    // in the list of its kind, 0: none
}

// span is a stretch of neighbouring blocks that have descriptors.
type span struct {
	first, after uint64 // numbers of blocks
	index        int32  // of the first one's descriptor
}

const descriptorSize = uint64(unsafe.Sizeof(block{}))

//go:nocheckptr
func (f *Frames) at(i int32) *block {
	return (*block)(unsafe.Pointer(Direct(f.descriptors + uint64(i)*descriptorSize)))
}

// find returns the index of a block's descriptor, 0 if it has none.
func (f *Frames) find(number uint64) int32 {
	low, high := 0, f.count
	for low < high {
		middle := int(uint(low+high) >> 1)
		if s := &f.spans[middle]; number < s.first {
			high = middle
		} else if number >= s.after {
			low = middle + 1
		} else {
			return s.index + int32(number-s.first)
		}
	}
	return 0
}

// change makes frames of a block free or not, and keeps the counts and lists.
// The bits are of word w of its map.
func (f *Frames) change(i int32, w int, frames uint64, free bool) {
	b := f.at(i)
	list := f.listOf(b)
	n := uint64(bits.OnesCount64(frames))
	if free {
		if b.free[w]&frames != 0 {
			panic(&faultReturned)
		}
		b.count += uint32(n)
		f.free += n
	} else {
		b.count -= uint32(n)
		f.free -= n
	}
	b.free[w] ^= frames
	if to := f.listOf(b); to != list {
		f.unlink(list, i)
		f.link(to, i)
	}
}

// listOf returns the list that a block belongs to, nil if nothing of it is free.
func (f *Frames) listOf(b *block) *int32 {
	switch b.count {
	case 0:
		return nil
	case blockFrames:
		return &f.whole
	}
	return &f.partly
}

func (f *Frames) link(list *int32, i int32) {
	if list == nil {
		return
	}
	b := f.at(i)
	b.next, b.previous = *list, 0
	if *list != 0 {
		f.at(*list).previous = i
	}
	*list = i
}

func (f *Frames) unlink(list *int32, i int32) {
	if list == nil {
		return
	}
	b := f.at(i)
	if b.previous == 0 {
		*list = b.next
	} else {
		f.at(b.previous).next = b.next
	}
	if b.next != 0 {
		f.at(b.next).previous = b.previous
	}
}

// empty takes all frames of a whole block.
func (f *Frames) empty(i int32) {
	b := f.at(i)
	f.unlink(&f.whole, i)
	for w := range b.free {
		b.free[w] = 0
	}
	b.count = 0
	f.free -= blockFrames
}

func (f *Frames) putBlock(start uint64) {
	i := f.find(start >> blockShift)
	if i == 0 || start%BlockSize != 0 {
		panic(&faultNoFrame)
	}
	b := f.at(i)
	if b.count != 0 {
		panic(&faultReturned)
	}
	for w := range b.free {
		b.free[w] = ^uint64(0)
	}
	b.count = blockFrames
	f.free += blockFrames
	f.link(&f.whole, i)
}

// wholeBlock marks, in a list of frames, a block.
const wholeBlock = 1

// putAll takes frames and blocks back. The caller holds the lock.
func (f *Frames) putAll(frames []uint64) {
	var b *block
	i, number := int32(0), ^uint64(0)
	for _, frame := range frames {
		if frame&wholeBlock != 0 {
			f.putBlock(frame &^ wholeBlock)
			number = ^uint64(0)
			continue
		}
		if n := frame >> blockShift; n != number {
			if i = f.find(n); i == 0 {
				panic(&faultNoFrame)
			}
			b, number = f.at(i), n
		}
		page := frame / PageSize % blockFrames
		word, bit := &b.free[page/64], uint64(1)<<(page&63)
		if *word&bit != 0 {
			panic(&faultReturned)
		}
		*word |= bit
		f.free++
		if b.count++; b.count == 1 || b.count == blockFrames {
			f.relink(i, b)
		}
	}
}

// relink puts a block to which a frame came back on the list where it belongs now.
func (f *Frames) relink(i int32, b *block) {
	if b.count == blockFrames {
		f.unlink(&f.partly, i)
	}
	f.link(f.listOf(b), i)
}
