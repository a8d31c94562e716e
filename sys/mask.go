package sys

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// MaxCPUs is the number of CPUs that a Mask can name.
const MaxCPUs = 1024

// Mask is a set of CPUs. It is 128 bytes, so calls take it by pointer. The zero
// value is the empty set.
type Mask [MaxCPUs / 64]uint64

// MaskOf returns the set of the given CPUs; each must be within 0 and 1023.
func MaskOf(cpus ...int) Mask {
	var m Mask
	for _, c := range cpus {
		m.Set(c)
	}
	return m
}

// Set adds c, which must be within 0 and 1023.
func (m *Mask) Set(c int) { m.check(c); m[c>>6] |= 1 << (c & 63) }

// Clear removes c, which must be within 0 and 1023.
func (m *Mask) Clear(c int) { m.check(c); m[c>>6] &^= 1 << (c & 63) }

func (m *Mask) check(c int) {
	if uint(c) >= MaxCPUs {
		panic("sys: CPU " + strconv.Itoa(c) + " is outside a mask, which holds 0 to " + strconv.Itoa(MaxCPUs-1))
	}
}

// Has reports whether c is in the set; a number outside 0 to 1023 never is.
func (m *Mask) Has(c int) bool { return uint(c) < MaxCPUs && m[c>>6]>>(c&63)&1 != 0 }

// Count returns the number of CPUs in the set.
func (m *Mask) Count() int {
	n := 0
	for _, word := range m {
		n += bits.OnesCount64(word)
	}
	return n
}

// IsEmpty reports whether no CPU is in the set.
func (m *Mask) IsEmpty() bool { return *m == Mask{} }

// First returns the lowest CPU of the set, -1 if it is empty.
func (m *Mask) First() int { return m.Next(-1) }

// Next returns the lowest CPU above after, -1 if there is none. Starting from -1
// it visits the set in ascending order.
func (m *Mask) Next(after int) int {
	for c := after + 1; c < MaxCPUs; c = (c | 63) + 1 {
		if word := m[c>>6] >> (c & 63); word != 0 {
			return c + bits.TrailingZeros64(word)
		}
	}
	return -1
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

// String returns the set ascending with runs joined, {0-3,8}; the empty set is {}.
func (m *Mask) String() string {
	var runs []string
	for first := m.First(); first >= 0; {
		last := first
		for m.Has(last + 1) {
			last++
		}
		run := strconv.Itoa(first)
		if last > first {
			run += "-" + strconv.Itoa(last)
		}
		runs = append(runs, run)
		first = m.Next(last)
	}
	return "{" + strings.Join(runs, ",") + "}"
}

// ParseMask reads a set such as {0-3,8} or, as Linux writes it, 0-3,8. The error
// names the word that is neither a CPU nor a range.
func ParseMask(s string) (Mask, error) {
	var m Mask
	list := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "{"), "}"))
	if list == "" {
		return m, nil
	}
	for _, word := range strings.Split(list, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(word), "-")
		first, err := strconv.Atoi(low)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(high)
		}
		if err != nil || first < 0 || last < first || last >= MaxCPUs {
			return Mask{}, fmt.Errorf("sys: CPU set %q: %q is neither a CPU nor a range within 0-%d", s, word, MaxCPUs-1)
		}
		for c := first; c <= last; c++ {
			m.Set(c)
		}
	}
	return m, nil
}
