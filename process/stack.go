package process

import "sync/atomic"

// stack is a last-in first-out list of indices from 1, linked through an array
// that its user passes in; the zero value is empty. head holds the first index in
// its low half and a tag in its high half. Each pop raises the tag, so that a pop
// that slept between reading a link and its compare-and-swap fails even if the
// same index is first again.
type stack struct{ head atomic.Uint64 }

const tagStep = 1 << 32

// push puts i on top.
func (s *stack) push(links []atomic.Uint32, i uint32) {
	for !s.tryPush(links, s.head.Load(), i) {
	}
}

// tryPush puts i on top if the head is still the one that the caller loaded. The
// compare-and-swap publishes the link, and what the caller wrote to i's entry, to
// the load in pop.
func (s *stack) tryPush(links []atomic.Uint32, head uint64, i uint32) bool {
	links[i].Store(uint32(head))
	return s.head.CompareAndSwap(head, head&^(tagStep-1)|uint64(i))
}

// pop takes the top index, 0 if the stack is empty.
func (s *stack) pop(links []atomic.Uint32) uint32 {
	for {
		head := s.head.Load() // pairs with the compare-and-swap in tryPush
		i := uint32(head)
		if i == 0 || s.tryPop(head, links[i].Load()) {
			return i
		}
	}
}

// tryPop makes next the top if the head is still the one that the caller loaded
// before it loaded next.
func (s *stack) tryPop(head uint64, next uint32) bool {
	return s.head.CompareAndSwap(head, head&^(tagStep-1)+tagStep|uint64(next))
}
