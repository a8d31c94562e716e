package sys

import "testing"

func TestEntriesAreNamedByTheirKind(t *testing.T) {
	for kind, want := range map[uintptr]string{
		0: "read", 202: "futex", 400: "call 400", 511: "other call",
		512: "hello", 514: "spawn", 575: "call 4159",
		576: "divide error", 590: "page fault", 640: "alarm", 608: "vector 32", 644: "boot", 645: "going on",
	} {
		if got := nameOfEntry(kind); got != want {
			t.Errorf("kind %d is called %q, want %q", kind, got, want)
		}
	}
}

func TestHistogramKeepsCountsWithTheirBounds(t *testing.T) {
	r := lengthRecord{count: 5, longest: 300}
	r.below = [16]uint64{128, 256, 512}
	r.buckets = [16]uint64{2, 0, 3}
	l := r.lengths("x")
	if l.Name != "x" || l.Count != 5 || l.Longest != 300 || len(l.Buckets) != 16 {
		t.Fatalf("%+v", l)
	}
	for i, want := range []LengthBucket{{128, 2}, {256, 0}, {512, 3}} {
		if l.Buckets[i] != want {
			t.Errorf("bucket %d: %+v, want %+v", i, l.Buckets[i], want)
		}
	}
}

func TestLengthsOfAllCPUsAddUp(t *testing.T) {
	var r lengthRecord
	r.merge(&lengthRecord{count: 2, longest: 9, buckets: [16]uint64{1, 1}, below: [16]uint64{4, 8}})
	r.merge(&lengthRecord{count: 3, longest: 5, buckets: [16]uint64{0, 2, 1}, below: [16]uint64{4, 8}})
	want := lengthRecord{count: 5, longest: 9, buckets: [16]uint64{1, 3, 1}, below: [16]uint64{4, 8}}
	if r != want {
		t.Errorf("%+v, want %+v", r, want)
	}
}
