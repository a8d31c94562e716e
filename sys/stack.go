package sys

import "sync/atomic"

// indexStack is a last-in-first-out set of the numbers 1 to n, without locks, so
// that a spawn never parks a goroutine on a mutex. The head carries a tag that each
// push increments: a pop that slept between its load and its swap cannot mistake a
// number that left and came back, which takes a push, for one that stayed.
type indexStack struct {
	head atomic.Uint64 // tag<<32 | number, 0 is empty
	next []atomic.Uint32
}

func newIndexStack(n int) *indexStack { return &indexStack{next: make([]atomic.Uint32, n+1)} }

// newFullStack returns the stack that gives 1 first, then 2, up to n.
func newFullStack(n int) *indexStack {
	s := newIndexStack(n)
	for i := n; i > 0; i-- {
		s.push(int32(i))
	}
	return s
}

func (s *indexStack) push(i int32) {
	for {
		head := s.head.Load()
		s.next[i].Store(uint32(head))
		if s.head.CompareAndSwap(head, (head>>32+1)<<32|uint64(uint32(i))) {
			return
		}
	}
}

// pop returns 0 when the stack is empty.
func (s *indexStack) pop() int32 {
	for {
		head := s.head.Load()
		i := uint32(head)
		if i == 0 {
			return 0
		}
		if s.head.CompareAndSwap(head, head>>32<<32|uint64(s.next[i].Load())) {
			return int32(i)
		}
	}
}
