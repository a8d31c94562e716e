package cpu

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the set in the kernel's notation, ascending with runs joined:
// {0-3,8}; the empty set is {}.
func (m *Mask) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for first := m.First(); first != None; {
		last := first
		for m.Has(last + 1) {
			last++
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(first)))
		if last > first {
			b.WriteString("-" + strconv.Itoa(int(last)))
		}
		first = m.Next(last)
	}
	b.WriteByte('}')
	return b.String()
}

// ParseMask reads a set such as {0-3,8} or, without braces, 0-3,8. The error
// names the word that is no CPU or range of CPUs below Max.
func ParseMask(s string) (Mask, error) {
	var m Mask
	list := s
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		list = s[1 : len(s)-1]
	}
	if strings.TrimSpace(list) == "" {
		return m, nil
	}
	for _, word := range strings.Split(list, ",") {
		if err := m.setRange(strings.TrimSpace(word)); err != nil {
			return Mask{}, fmt.Errorf("CPU set %q: %w", s, err)
		}
	}
	return m, nil
}

func (m *Mask) setRange(word string) error {
	low, high, isRange := strings.Cut(word, "-")
	first, err := strconv.ParseUint(low, 10, 31)
	last := first
	if err == nil && isRange {
		last, err = strconv.ParseUint(high, 10, 31)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%q is neither a CPU nor a range such as 0-3", word)
	case last < first:
		return fmt.Errorf("range %q runs backwards", word)
	case last >= Max:
		return fmt.Errorf("%q lies beyond the last possible CPU, %d", word, Max-1)
	}
	for c := ID(first); c <= ID(last); c++ {
		m.Set(c)
	}
	return nil
}
