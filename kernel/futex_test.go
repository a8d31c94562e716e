package kernel

import (
	"hearth/process"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// queues returns a bucket's waiters in the order of each address, and fails where
// links disagree.
func (b *bucket) queues(t rapid.TB) map[uintptr][]process.ContextID {
	t.Helper()
	found := map[uintptr][]process.ContextID{}
	before := process.ContextID(0)
	for head := b.first; head != 0; head = placeOf(head).nextQueue {
		address := contextAt(head).wait.address
		if len(found[address]) > 0 {
			t.Fatalf("address %d has two queues, or its bucket runs in a circle", address)
		}
		if q := placeOf(head); !q.isHead || q.previousQueue != before {
			t.Fatalf("head %d behind %d says that it is behind %d (head: %v)", head, before, q.previousQueue, q.isHead)
		}
		found[address] = b.queue(t, head)
		before = head
	}
	return found
}

func (b *bucket) queue(t rapid.TB, head process.ContextID) (ids []process.ContextID) {
	t.Helper()
	tail := placeOf(head).previous
	for id := head; id != 0; id = placeOf(id).next {
		if id != head && (placeOf(id).previous != ids[len(ids)-1] || placeOf(id).isHead) {
			t.Fatalf("%d behind %v says that it is behind %d", id, ids, placeOf(id).previous)
		}
		ids = append(ids, id)
	}
	if tail != ids[len(ids)-1] {
		t.Fatalf("queue %v says that it ends with %d", ids, tail)
	}
	return ids
}

func chainOf(id process.ContextID) []process.ContextID {
	var ids []process.ContextID
	for ; id != 0; id = placeOf(id).next {
		ids = append(ids, id)
	}
	return ids
}

// waiters is the model of a bucket: all its waiters, oldest first.
type waiters []process.ContextID

func (w waiters) of(address uintptr) (ids []process.ContextID) {
	for _, id := range w {
		if contextAt(id).wait.address == address {
			ids = append(ids, id)
		}
	}
	return ids
}

func (w waiters) without(gone []process.ContextID) waiters {
	return slices.DeleteFunc(slices.Clone(w), func(id process.ContextID) bool { return slices.Contains(gone, id) })
}

// A bucket against a plain slice: waiters of several addresses share it, wakes
// take the oldest of one address that are old enough, timeouts take any.
func TestBucketWakesTheOldestOfAnAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bucket
		var model waiters
		next := process.ContextID(1)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			address := uintptr(rapid.IntRange(1, 3).Draw(t, "address") * 4)
			switch rapid.IntRange(0, 2).Draw(t, "step") {
			case 0:
				contextAt(next).wait = wait{kind: waitFutex, queued: true, address: address}
				b.append(next)
				model = append(model, next)
				next++
			case 1:
				n := rapid.IntRange(0, 4).Draw(t, "n")
				last := rapid.IntRange(0, int(next)).Draw(t, "last") // tickets are ids here
				want := model.of(address)
				want = slices.DeleteFunc(want, func(id process.ContextID) bool { return int(id) > last })
				want = want[:min(n, len(want))]
				if got := chainOf(b.detach(address, uint32(n), uint64(last))); !slices.Equal(got, want) {
					t.Fatalf("a wake of %d at %d up to %d took %v, want %v", n, address, last, got, want)
				}
				model = model.without(want)
			case 2:
				if len(model) > 0 {
					id := rapid.SampledFrom(model).Draw(t, "waiter")
					b.remove(id)
					model = model.without([]process.ContextID{id})
				}
			}
			found := b.queues(t)
			for address := uintptr(4); address <= 12; address += 4 {
				if got, want := found[address], model.of(address); !slices.Equal(got, want) {
					t.Fatalf("%v wait at %d, want %v", got, address, want)
				}
			}
		}
	})
}

// leaveBucket must find a waiter in the bucket that a requeue moved it to.
func TestTimeoutFollowsARequeue(t *testing.T) {
	const from, to = 0x1000, 0x2004
	x := contextAt(1)
	x.wait = wait{kind: waitFutex, queued: true, address: to}
	bucketOf(to).append(1)
	if !x.leaveBucket(1) {
		t.Fatal("the waiter was not found where its address says")
	}
	if x.leaveBucket(1) {
		t.Fatal("a waiter left twice")
	}
	if got := int64(x.frame.ax); got != -eTIMEDOUT {
		t.Fatalf("the call's result is %d, want -ETIMEDOUT", got)
	}
	if bucketOf(from).first != 0 || bucketOf(to).first != 0 {
		t.Fatal("a bucket still holds the waiter")
	}
}
