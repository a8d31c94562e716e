package main

import "sync/atomic"

// Right twins: the walk must accept all of this.

// table is state as the kernel keeps it.
var table struct {
	next  [64]int32
	words [64]atomic.Uint64
	text  [16]byte
	big   [300]uint64
}

type broken struct{ what string }

func (b *broken) Error() string { return b.what }

var errBroken = broken{"static"}

// rightScan uses indices, atomics, bounds checks, copies and clears.
//
//go:noinline
func rightScan(i int32, n uint64) uint64 {
	var sum uint64
	for ; i != 0; i = table.next[i] {
		sum += table.words[i].Add(n)
	}
	big := table.big
	big[n%300]++
	table.big = big
	clear(table.text[:])
	copy(table.text[:], "sixteen letters.")
	if sum == 77 {
		panic(&errBroken)
	}
	return sum / n
}

// rightSwitch is dense enough for a table of jumps.
//
//go:noinline
func rightSwitch(n uint64) uint64 {
	switch n {
	case 0:
		return rightLeaf(n, 3)
	case 1:
		return n * 12345
	case 2:
		return n ^ 99
	case 3:
		return rightLeaf(n, 4) / 2
	case 4:
		return n << 5
	case 5:
		return n &^ 7
	case 6:
		return n - 9
	case 7:
		return n | 1024
	case 8:
		return rightLeaf(n, 5) % 1000
	case 9:
		return n >> 2
	}
	return 0
}

//go:noinline
func rightLeaf(a, b uint64) uint64 { return a*b + 1 }

// rightGeneric needs no dictionary: the compiler knows every operation.
type ring[T any] struct {
	slots [8]T
	head  int
}

func (r *ring[T]) push(v T) { r.slots[r.head&7] = v; r.head++ }

var numbers ring[uint64]

//go:noinline
func rightGeneric(n uint64) { numbers.push(n) }

// rightClosure calls a closure that does not escape and is known.
//
//go:noinline
func rightClosure(n uint64) uint64 {
	add := func(m uint64) uint64 { return n + m }
	return add(1) + add(2)
}

// rightStrings compares, which the runtime does in leaves.
//
//go:noinline
func rightStrings(a, b string) bool { return a == b || a < b }
