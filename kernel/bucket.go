package kernel

import (
	"hearth/process"
	"unsafe"
)

const bucketCount = 256

// bucket is a list of waiters, oldest first, guarded by its lock.
type bucket struct {
	spinLock
	first, last process.ContextID
	_           [52]byte // one line a bucket
}

var buckets [bucketCount]bucket

func bucketOf(address uintptr) *bucket {
	const multiplier = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
	return &buckets[uint64(address)*multiplier>>56]
}

func (b *bucket) append(id process.ContextID) {
	contextAt(id).wait.next = 0
	if b.last == 0 {
		b.first = id
	} else {
		contextAt(b.last).wait.next = id
	}
	b.last = id
}

// detach takes up to n waiters of an address off the bucket, and returns them
// linked, oldest first. They are the caller's to wake. The caller holds the
// lock.
func (b *bucket) detach(address uintptr, n uint32) process.ContextID {
	var chain bucket
	previous := process.ContextID(0)
	for id := b.first; id != 0 && n > 0; {
		x := contextAt(id)
		next := x.wait.next
		if x.wait.address == address {
			b.unlink(previous, id)
			x.wait.queued = false
			chain.append(id)
			n--
		} else {
			previous = id
		}
		id = next
	}
	return chain.first
}

// unlink takes id, which follows previous (0: it is first), off the bucket.
func (b *bucket) unlink(previous, id process.ContextID) {
	next := contextAt(id).wait.next
	if previous == 0 {
		b.first = next
	} else {
		contextAt(previous).wait.next = next
	}
	if b.last == id {
		b.last = previous
	}
}

// leaveBucket takes a context whose time has come off its bucket; false when a
// waker has taken it already. A requeue may have moved it, so the bucket is
// looked up again until it holds still.
func (x *context) leaveBucket() bool {
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
			b.remove(x)
			x.wait.queued = false
			x.frame.ax = negative(eTIMEDOUT)
		}
		b.unlock()
		return queued
	}
}

func (b *bucket) remove(x *context) {
	previous := process.ContextID(0)
	for id := b.first; id != 0; id = contextAt(id).wait.next {
		if contextAt(id) == x {
			b.unlink(previous, id)
			return
		}
		previous = id
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
