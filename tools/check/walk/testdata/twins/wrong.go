package main

// Wrong twins: each breaks one rule, and everything around it is right.

type item struct {
	next  *item
	value uint64
}

var (
	list   *item
	slice  []uint64
	counts map[uint64]uint64
	queue  chan uint64
	text   string
	holder any
	action func(uint64) uint64
	shape  shaper
)

type shaper interface{ area() uint64 }

type square struct{ side uint64 }

func (s *square) area() uint64 { return s.side * s.side }

type circle struct{ radius uint64 }

func (c *circle) area() uint64 { return 3 * c.radius * c.radius }

//go:noinline
func wrongAllocation(n uint64) uint64 { return sumOf(&item{value: n}) }

//go:noinline
func sumOf(i *item) uint64 { kept = i; return i.value }

var kept *item

//go:noinline
func wrongSlice(n uint64) { slice = make([]uint64, n) }

//go:noinline
func wrongBarrier(n uint64) { list.next = list }

//go:noinline
func wrongAppend(n uint64) { slice = append(slice, n) }

//go:noinline
func wrongMapRead(n uint64) uint64 { return counts[n] }

//go:noinline
func wrongMapWrite(n uint64) { counts[n]++ }

//go:noinline
func wrongSend(n uint64) { queue <- n }

//go:noinline
func wrongReceive() uint64 { return <-queue }

//go:noinline
func wrongSelect(n uint64) {
	select {
	case queue <- n:
	default:
	}
}

//go:noinline
func wrongGo() { go wrongSlice(1) }

//go:noinline
func wrongDefer(n uint64) (sum uint64) {
	defer func() { sum++ }()
	return rightLeaf(n, n)
}

//go:noinline
func wrongDeferLoop(n uint64) {
	for range n {
		defer rightGeneric(n)
	}
}

//go:noinline
func wrongRecover(n uint64) { holder = recover() }

//go:noinline
func wrongConversion(n uint64) { holder = n * 1000 }

//go:noinline
func wrongAssertion() shaper { return holder.(shaper) }

//go:noinline
func wrongEqual(a, b any) bool { return a == b }

//go:noinline
func wrongClosure(n uint64) { action = func(m uint64) uint64 { return n + m } }

//go:noinline
func wrongIndirect(n uint64) uint64 { return action(n) }

//go:noinline
func wrongInterface() uint64 { return shape.area() }

//go:noinline
func wrongMethodValue(s *square) { method = s.area }

var method func() uint64

//go:noinline
func wrongConcat(a, b string) { text = a + b }

//go:noinline
func wrongBytes(b []byte) { text = string(b) }

// wrongDictionary calls a method through the dictionary of its type parameter.
func wrongDictionary() uint64 { return total(&square{3}) + total(&circle{4}) }

//go:noinline
func total[T shaper](s T) uint64 { return s.area() }

//go:noinline
func wrongDeep(n uint64) uint64 {
	var buffer [4096]uint64
	for i := range buffer {
		buffer[i] = n + uint64(i)
	}
	return buffer[n%4096] + rightLeaf(n, buffer[(n+1)%4096])
}

//go:noinline
func wrongRecursion(n uint64) uint64 {
	if n == 0 {
		return 1
	}
	return n * wrongMutual(n-1)
}

//go:noinline
func wrongMutual(n uint64) uint64 { return wrongRecursion(n) + 1 }

//go:noinline
func wrongRuntime() { gosched() }

//go:noinline
func wrongFar(n uint64) uint64 { return middle(n) + 1 }

//go:noinline
func middle(n uint64) uint64 { return far(n) + 2 }

//go:noinline
func far(n uint64) uint64 { slice = make([]uint64, n+1); return n }

// swept is called by code that only the sweep reaches.
//
//go:noinline
func swept() { slice = make([]uint64, len(text)) }

// leftOut is skipped by the entry list, and reached all the same.
//
//go:noinline
func leftOut() {}
