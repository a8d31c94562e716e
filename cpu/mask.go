package cpu

import "math/bits"

// Mask is a set of CPUs. It is 128 bytes, so it travels by pointer. The zero
// value is the empty set. Methods that take an ID require 0 ≤ id < Max; the
// bounds check stops the machine otherwise.
type Mask [Max / 64]uint64

// Set adds c.
func (m *Mask) Set(c ID) { m[c>>6] |= 1 << (c & 63) }

// Clear removes c.
func (m *Mask) Clear(c ID) { m[c>>6] &^= 1 << (c & 63) }

// Has reports whether c is in the set; None never is.
func (m *Mask) Has(c ID) bool {
	return uint32(c) < Max && m[c>>6]>>(c&63)&1 != 0
}

// Reset empties the set.
func (m *Mask) Reset() {
	for i := range m {
		m[i] = 0
	}
}

// SetAll makes the set exactly the CPUs 0 to n-1; n must be within 0 and Max.
func (m *Mask) SetAll(n int) {
	if n < 0 || n > Max {
		panic(&faultMaskSize)
	}
	for i := range m {
		switch left := n - i*64; {
		case left >= 64:
			m[i] = ^uint64(0)
		case left > 0:
			m[i] = 1<<uint(left) - 1
		default:
			m[i] = 0
		}
	}
}

var faultMaskSize = fault{"cpu: a mask holds between 0 and 1024 CPUs"}

// Count returns the number of CPUs in the set.
func (m *Mask) Count() int {
	n := 0
	for i := range m {
		n += bits.OnesCount64(m[i])
	}
	return n
}

// IsEmpty reports whether no CPU is in the set.
func (m *Mask) IsEmpty() bool {
	for i := range m {
		if m[i] != 0 {
			return false
		}
	}
	return true
}

// First returns the lowest CPU of the set, None if it is empty.
func (m *Mask) First() ID { return m.Next(None) }

// Next returns the lowest CPU of the set above after, None if there is none.
// Starting from None it visits the set in ascending order.
func (m *Mask) Next(after ID) ID {
	from := uint32(after + 1)
	if from >= Max {
		return None
	}
	i := from >> 6
	word := m[i] &^ (1<<(from&63) - 1)
	for word == 0 {
		if i++; i == uint32(len(m)) {
			return None
		}
		word = m[i]
	}
	return ID(i<<6) + ID(bits.TrailingZeros64(word))
}

// Equal reports whether m and o hold the same CPUs.
func (m *Mask) Equal(o *Mask) bool {
	for i := range m {
		if m[i] != o[i] {
			return false
		}
	}
	return true
}

// Intersects reports whether some CPU is in both m and o.
func (m *Mask) Intersects(o *Mask) bool {
	for i := range m {
		if m[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// And keeps of m only the CPUs that are in o too.
func (m *Mask) And(o *Mask) {
	for i := range m {
		m[i] &= o[i]
	}
}

// Or adds to m the CPUs of o.
func (m *Mask) Or(o *Mask) {
	for i := range m {
		m[i] |= o[i]
	}
}

// AndNot removes from m the CPUs of o.
func (m *Mask) AndNot(o *Mask) {
	for i := range m {
		m[i] &^= o[i]
	}
}
