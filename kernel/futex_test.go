package kernel

import (
	"hearth/process"
	"testing"

	"pgregory.net/rapid"
)

// list returns a bucket's waiters in order, and fails if its ends disagree.
func (b *bucket) list(t rapid.TB) []process.ContextID {
	t.Helper()
	var ids []process.ContextID
	for id := b.first; id != 0; id = contextAt(id).wait.next {
		if len(ids) > process.MaxContexts {
			t.Fatal("the bucket's list runs in a circle")
		}
		ids = append(ids, id)
	}
	last := process.ContextID(0)
	if len(ids) > 0 {
		last = ids[len(ids)-1]
	}
	if b.last != last {
		t.Fatalf("the bucket ends with %d, its list with %d", b.last, last)
	}
	return ids
}

func chainOf(id process.ContextID) []process.ContextID {
	var ids []process.ContextID
	for ; id != 0; id = contextAt(id).wait.next {
		ids = append(ids, id)
	}
	return ids
}

func equal(a, b []process.ContextID) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// A bucket against a plain slice: waiters of several addresses share it, wakes
// take the oldest of one address, timeouts take any.
func TestBucketWakesTheOldestOfAnAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bucket
		var model []process.ContextID
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
				var want []process.ContextID
				model, want = takeOldest(model, address, n)
				if got := chainOf(b.detach(address, uint32(n))); !equal(got, want) {
					t.Fatalf("a wake of %d at %d took %v, want %v", n, address, got, want)
				}
			case 2:
				if len(model) > 0 {
					i := rapid.IntRange(0, len(model)-1).Draw(t, "waiter")
					b.remove(contextAt(model[i]))
					model = append(model[:i:i], model[i+1:]...)
				}
			}
			if got := b.list(t); !equal(got, model) {
				t.Fatalf("the bucket holds %v, want %v", got, model)
			}
		}
	})
}

func takeOldest(from []process.ContextID, address uintptr, n int) (rest, taken []process.ContextID) {
	for _, id := range from {
		if len(taken) < n && contextAt(id).wait.address == address {
			taken = append(taken, id)
			continue
		}
		rest = append(rest, id)
	}
	return rest, taken
}

// leaveBucket must find a waiter in the bucket that a requeue moved it to.
func TestTimeoutFollowsARequeue(t *testing.T) {
	const from, to = 0x1000, 0x2004
	x := contextAt(1)
	x.wait = wait{kind: waitFutex, queued: true, address: to}
	bucketOf(to).append(1)
	if !x.leaveBucket() {
		t.Fatal("the waiter was not found where its address says")
	}
	if x.leaveBucket() {
		t.Fatal("a waiter left twice")
	}
	if got := int64(x.frame.ax); got != -eTIMEDOUT {
		t.Fatalf("the call's result is %d, want -ETIMEDOUT", got)
	}
	if bucketOf(from).first != 0 || bucketOf(to).first != 0 {
		t.Fatal("a bucket still holds the waiter")
	}
}
