package cpu

// Probe returns the i-th CPU, from 0 to Count-2, that c looks at when it
// searches outwards from itself: first the rest of its core, then of its LLC
// domain, its node, its package, the machine. Each ring starts behind c's own
// group at c's own rank in it, so that neighbours search in different places and
// no CPU is everybody's second choice. Beyond the last CPU it returns None.
//
// The order is computed, not stored: 1,024 orders of 1,024 CPUs would be 2 MiB
// that a machine of eight CPUs carries too.
func (t *Topology) Probe(c ID, i int) ID {
	at := &t.At[c]
	self := span{t.slot[c], t.slot[c] + 1}
	machine := span{0, int32(t.Count)}
	inner := &self
	left := int32(i)
	for ring := 0; left >= 0 && ring < rings; ring++ {
		outer := &machine
		switch ring {
		case 0:
			outer = &t.cores[at.Core]
		case 1:
			outer = &t.llcs[at.LLC]
		case 2:
			outer = &t.nodes[at.Node]
		case 3:
			outer = &t.packages[at.Package]
		}
		size := (outer.hi - outer.lo) - (inner.hi - inner.lo)
		if left < size {
			return t.slots[ringSlot(inner, outer, self.lo-inner.lo, left)]
		}
		left -= size
		inner = outer
	}
	return None
}

const rings = 5

// ringSlot returns the slot of the n-th CPU of outer without inner, counted from
// rank behind the end of inner and running round.
func ringSlot(inner, outer *span, rank, n int32) int32 {
	size := (outer.hi - outer.lo) - (inner.hi - inner.lo)
	slot := inner.hi + (rank+n)%size
	if slot >= outer.hi {
		slot -= outer.hi - outer.lo
	}
	return slot
}
