package process

import "sync/atomic"

// stack is a last-in first-out list of indices from 1, linked through an array
// that its user passes in; the zero value is empty. head holds the first index in
// its low half and a tag in its high half. Each pop raises the tag, so that a pop
// that slept between reading a link and its compare-and-swap fails even if the
// same index is first again.
type stack struct{ head atomic.Uint64 }

const tagStep = 1 << 32

// push puts i on top. The compare-and-swap publishes the link, and what the caller
// wrote to i's entry, to the pop that takes i.
func (s *stack) push(links []atomic.Uint32, i uint32) {
	for {
		head := s.head.Load()
		links[i].Store(uint32(head))
		if s.head.CompareAndSwap(head, head&^(tagStep-1)|uint64(i)) {
			return
		}
	}
}

// pop takes the top index, 0 if the stack is empty.
func (s *stack) pop(links []atomic.Uint32) uint32 {
	for {
		head := s.head.Load() // pairs with the compare-and-swap in push
		i := uint32(head)
		if i == 0 {
			return 0
		}
		next := uint64(links[i].Load())
		if s.head.CompareAndSwap(head, head&^(tagStep-1)+tagStep|next) {
			return i
		}
	}
}
