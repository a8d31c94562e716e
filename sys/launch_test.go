package sys

import (
	"testing"
	"time"
)

// A thread that ends by Exit takes its carrier with it, and the entry may be in
// its next start before the first starter has looked.
func TestEveryStarterOfAnEntryIsWokenByItsLatestStart(t *testing.T) {
	c := &carrier{}
	returned := make(chan uint32)
	for start := uint32(1); start <= 3; start++ {
		go func() {
			launch{c, start}.await()
			returned <- start
		}()
	}
	time.Sleep(200 * time.Millisecond) // time enough to fall asleep; awake, they would see the word
	c.started = 3
	c.announce()
	for range 3 {
		select {
		case <-returned:
		case <-time.After(10 * time.Second):
			t.Fatal("a starter sleeps on though a later start has parked")
		}
	}
}

func TestAStarterWaitsForItsOwnStart(t *testing.T) {
	c := &carrier{}
	c.started = 1
	c.announce()
	returned := make(chan bool)
	go func() { launch{c, 2}.await(); close(returned) }()
	select {
	case <-returned:
		t.Fatal("the second start has not parked, its starter returned")
	case <-time.After(100 * time.Millisecond):
	}
	c.started = 2
	c.announce()
	<-returned
}
