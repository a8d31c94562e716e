package boot

import (
	"encoding/binary"
	"runtime"
	"testing"
	"unsafe"
)

// memory is physical memory from address 0 up.
type memory struct {
	bytes []byte
	size  uint64
}

// newMemory returns 64 KiB of memory.
func newMemory(t testing.TB) *memory { return newMemoryOf(t, 64<<10) }

// newMemoryOf returns memory that lives as long as the test: the parsers hold its
// address as a number.
func newMemoryOf(t testing.TB, size uint64) *memory {
	m := &memory{make([]byte, size), size}
	t.Cleanup(func() { runtime.KeepAlive(m) })
	return m
}

func (m *memory) physical() Physical {
	return Physical{Base: uintptr(unsafe.Pointer(&m.bytes[0])), Limit: m.size}
}

func (m *memory) put8(at uint64, v byte)      { m.bytes[at] = v }
func (m *memory) put16(at uint64, v uint16)   { binary.LittleEndian.PutUint16(m.bytes[at:], v) }
func (m *memory) put32(at uint64, v uint32)   { binary.LittleEndian.PutUint32(m.bytes[at:], v) }
func (m *memory) put64(at uint64, v uint64)   { binary.LittleEndian.PutUint64(m.bytes[at:], v) }
func (m *memory) putText(at uint64, s string) { copy(m.bytes[at:], s) }

// seal sets the byte at sum so that size bytes from at add up to zero.
func (m *memory) seal(at, size, sum uint64) {
	m.bytes[sum] = 0
	total := byte(0)
	for _, b := range m.bytes[at : at+size] {
		total += b
	}
	m.bytes[sum] = -total
}

func TestReadsBeyondTheLimitAreZero(t *testing.T) {
	m := newMemory(t)
	for i := range m.bytes {
		m.bytes[i] = 0xff
	}
	p := m.physical()
	p.Limit -= 0x100 // what lies behind is ours, but not mapped
	for _, c := range []struct{ at, want uint64 }{
		{p.Limit - 8, 0xffffffffffffffff}, {p.Limit - 3, 0xffffff}, {p.Limit, 0}, {^uint64(0) - 9, 0},
	} {
		if got := p.word64(c.at); got != c.want {
			t.Errorf("word at %#x is %#x, want %#x", c.at, got, c.want)
		}
	}
	if !p.has(0, p.Limit) || p.has(1, p.Limit) || p.has(p.Limit, 1) || p.has(^uint64(0), 2) || p.has(8, ^uint64(0)) || !p.has(p.Limit, 0) {
		t.Error("bounds are wrong")
	}
}
