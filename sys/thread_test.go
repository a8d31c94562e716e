package sys

import (
	"sync/atomic"
	"testing"
)

func TestThreadsRunAndJoin(t *testing.T) {
	for _, n := range []int{64, 512} {
		for round := range 2 {
			var ran atomic.Int64
			ids := make([]Thread, n)
			for i := range ids {
				id, err := Spawn(func() { ran.Add(int64(i)) })
				if err != nil {
					t.Fatal(err)
				}
				ids[i] = id
			}
			for _, id := range ids {
				if code, err := id.Join(); code != 0 || err != nil {
					t.Fatalf("join %d: %d %v", id, code, err)
				}
			}
			if want := int64(n * (n - 1) / 2); ran.Load() != want {
				t.Fatalf("round %d: %d, want %d", round, ran.Load(), want)
			}
		}
	}
	t.Log(Carriers())
}
