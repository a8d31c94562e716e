package boot

import "testing"

func TestAddressBelongsToTheStackWhoseStretchItIsIn(t *testing.T) {
	for _, test := range []struct {
		va    uintptr
		n     int
		below uintptr
	}{
		{StackTop(0) - 1, 0, 1},
		{StackTop(0) - stackStride, 0, stackStride},
		{StackTop(0), 1, stackStride},
		{StackTop(7) - 16384, 7, 16384},
		{StackBase - 1, -1, 0},
		{0x1000, -1, 0},
	} {
		if n, below := StackOf(test.va); n != test.n || below != test.below {
			t.Errorf("%#x: stack %d, %d below its top, want %d, %d", test.va, n, below, test.n, test.below)
		}
	}
}
