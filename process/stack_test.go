package process

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestAStackIsLastInFirstOut(t *testing.T) {
	var s stack
	var links [4]atomic.Uint32
	for i := uint32(1); i <= 3; i++ {
		s.push(links[:], i)
	}
	for want := uint32(3); want != ^uint32(0); want-- {
		if got := s.pop(links[:]); got != want {
			t.Fatalf("popped %d, want %d", got, want)
		}
	}
}

func TestAPushOrPopThatCameLateBeginsAgain(t *testing.T) {
	var s stack
	var links [5]atomic.Uint32
	s.push(links[:], 1)
	s.push(links[:], 2)
	head := s.head.Load()
	if !s.tryPop(head, 1) || s.tryPop(head, 1) {
		t.Error("two pops took the same index")
	}
	head = s.head.Load()
	if !s.tryPush(links[:], head, 3) || s.tryPush(links[:], head, 4) {
		t.Error("a push overtook another, which is lost")
	}
}

// A pop that read the head and slept while the index left and came back would put a
// stale link on top; it must fail.
func TestAHeadThatLeftAndCameBackIsAnotherHead(t *testing.T) {
	var s stack
	var links [4]atomic.Uint32
	s.push(links[:], 2)
	s.push(links[:], 1)
	asleep := s.head.Load()
	s.pop(links[:])
	s.pop(links[:])
	s.push(links[:], 1)
	if now := s.head.Load(); now == asleep {
		t.Errorf("head is %#x again although 2 left in between", now)
	}
}

func TestEveryIndexHasOneOwnerAtATime(t *testing.T) {
	const indices, rounds = 8, 2_000
	var s stack
	var links [indices + 1]atomic.Uint32
	var owned [indices + 1]atomic.Int32
	for i := uint32(1); i <= indices; i++ {
		s.push(links[:], i)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range rounds {
				i := s.pop(links[:])
				if i == 0 {
					continue
				}
				if owned[i].Add(1) != 1 {
					t.Errorf("%d was popped twice", i)
				}
				owned[i].Add(-1)
				s.push(links[:], i)
			}
		})
	}
	wg.Wait()
	left := 0
	for s.pop(links[:]) != 0 {
		left++
	}
	if left != indices {
		t.Errorf("%d indices are left of %d", left, indices)
	}
}
