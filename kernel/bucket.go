package kernel

import (
	"hearth/process"
	"unsafe"
)

const bucketBits = 10

// bucket holds the waiters of the addresses that fall to it: one queue an
// address, oldest first, so that a wake walks past other addresses but never
// past their waiters. Its lock guards it and the links of its waiters.
type bucket struct {
	spinLock
	first   process.ContextID // the head of a queue
	tickets uint64            // how many have waited here so far
	_       [48]byte          // one line a bucket
}

var buckets [1 << bucketBits]bucket

func bucketOf(address uintptr) *bucket {
	const multiplier = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
	return &buckets[uint64(address)*multiplier>>(64-bucketBits)]
}

// queued is a waiter's place in its bucket. In a queue's head, previous is its
// tail, and the last two lead to the heads of other queues.
type queued struct {
	next, previous           process.ContextID
	ticket                   uint64
	isHead                   bool
	nextQueue, previousQueue process.ContextID
}

func placeOf(id process.ContextID) *queued { return &contextAt(id).wait.queue }

// find returns the head of an address's queue, 0 if nobody waits there.
func (b *bucket) find(address uintptr) process.ContextID {
	id := b.first
	for id != 0 && contextAt(id).wait.address != address {
		id = placeOf(id).nextQueue
	}
	return id
}

// append makes id the youngest waiter of its address.
func (b *bucket) append(id process.ContextID) {
	b.tickets++
	q := placeOf(id)
	*q = queued{ticket: b.tickets}
	head := b.find(contextAt(id).wait.address)
	if head == 0 {
		q.previous = id
		b.addQueue(id, 0, b.first)
		return
	}
	tail := placeOf(head).previous
	placeOf(tail).next, q.previous = id, tail
	placeOf(head).previous = id
}

// addQueue makes id a head between two others, each 0 for none.
func (b *bucket) addQueue(id, previous, next process.ContextID) {
	q := placeOf(id)
	q.isHead, q.previousQueue, q.nextQueue = true, previous, next
	b.linkQueues(previous, id)
	if next != 0 {
		placeOf(next).previousQueue = id
	}
}

// linkQueues makes next, 0 for none, the head behind previous, 0 for the front.
func (b *bucket) linkQueues(previous, next process.ContextID) {
	if previous == 0 {
		b.first = next
	} else {
		placeOf(previous).nextQueue = next
	}
}

// remove takes a waiter off the bucket.
func (b *bucket) remove(id process.ContextID) {
	q := placeOf(id)
	switch {
	case q.isHead && q.next != 0: // the next oldest is the head
		placeOf(q.next).previous = q.previous
		b.addQueue(q.next, q.previousQueue, q.nextQueue)
	case q.isHead:
		b.linkQueues(q.previousQueue, q.nextQueue)
		if q.nextQueue != 0 {
			placeOf(q.nextQueue).previousQueue = q.previousQueue
		}
	case q.next != 0:
		placeOf(q.previous).next = q.next
		placeOf(q.next).previous = q.previous
	default: // the tail
		placeOf(q.previous).next = 0
		placeOf(b.find(contextAt(id).wait.address)).previous = q.previous
	}
}

// detach takes up to n waiters of an address off the bucket, those with a ticket
// up to last, and returns them linked by next, oldest first. They are the
// caller's to wake. The caller holds the lock.
func (b *bucket) detach(address uintptr, n uint32, last uint64) process.ContextID {
	first, tail := process.ContextID(0), process.ContextID(0)
	for id := b.find(address); id != 0 && n > 0 && placeOf(id).ticket <= last; n-- {
		next := placeOf(id).next
		b.remove(id)
		contextAt(id).wait.queued = false
		placeOf(id).next = 0
		if tail == 0 {
			first = id
		} else {
			placeOf(tail).next = id
		}
		tail, id = id, next
	}
	return first
}

// leaveBucket takes a context whose time has come off its bucket; false when a
// waker has taken it already. A requeue may have moved it, so the bucket is
// looked up again until it holds still.
func (x *context) leaveBucket(id process.ContextID) bool {
	for {
		address := x.wait.address
		b := bucketOf(address)
		b.lock()
		if x.wait.queued && x.wait.address != address {
			b.unlock()
			continue
		}
		queued := x.wait.queued
		if queued {
			b.remove(id)
			x.wait.queued = false
			x.frame.ax = negative(eTIMEDOUT)
			x.injectResult()
		}
		b.unlock()
		return queued
	}
}

// lockBoth takes two buckets' locks in the order of their addresses.
func lockBoth(a, b *bucket) {
	if uintptr(unsafe.Pointer(a)) > uintptr(unsafe.Pointer(b)) {
		a, b = b, a
	}
	a.lock()
	if a != b {
		b.lock()
	}
}

func unlockBoth(a, b *bucket) {
	a.unlock()
	if a != b {
		b.unlock()
	}
}
