package trace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"time"
)

const (
	recordSize = 64
	headSize   = 24 // magic, version, CPUs, ring capacity, TSC rate
	ringSize   = 16 // CPU, count, lost: what precedes the records of a CPU
	version    = 1
	maxCPUs    = 1024    // the kernel's cpu.Max
	maxRing    = 1 << 20 // far above the kernel's 2,048: only a corrupt dump says more
)

// The first and the last four bytes of a dump.
const (
	magicBegin = "HTRC"
	magicEnd   = "HEND"
)

// ReadFile decodes the dump in a file; the error names the file.
func ReadFile(name string) (*Dump, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	d, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// Decode reads a whole dump. A dump that is cut short, damaged or of another
// version gives an error that says what was found, and where, in bytes from the
// start. It never allocates more than a small multiple of len(data).
func Decode(data []byte) (*Dump, error) {
	r := &reader{data: data}
	if len(data) == 0 {
		return nil, errors.New("the trace is empty: was the guest started with trace=on, and did it end by itself?")
	}
	if magic := r.take(len(magicBegin), "the head"); r.err == nil && string(magic) != magicBegin {
		return nil, fmt.Errorf("not a Hearth trace: it starts with %q, not %q", magic, magicBegin)
	}
	d, cpus := r.head()
	seen := map[int]bool{}
	for i := 0; i < cpus && r.err == nil; i++ {
		ring := r.ring(d.Capacity)
		if r.err == nil && seen[ring.CPU] {
			r.fail("CPU %d occurs twice", ring.CPU)
		}
		seen[ring.CPU] = true
		d.Rings = append(d.Rings, ring)
	}
	if magic := r.take(len(magicEnd), "the end mark"); r.err == nil && string(magic) != magicEnd {
		r.fail("the end mark is %q, not %q", magic, magicEnd)
	}
	if r.err == nil && r.at < len(data) {
		r.fail("%d bytes follow the end mark", len(data)-r.at)
	}
	if r.err != nil {
		return nil, r.err
	}
	return d, nil
}

// reader walks the bytes and keeps the first error; after it, it reads zeros.
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("corrupt trace at byte %d: %s", r.at, fmt.Sprintf(format, args...))
	}
}

// take returns the next n bytes, or n zeros after an error.
func (r *reader) take(n int, what string) []byte {
	if r.err == nil && len(r.data)-r.at < n {
		r.err = fmt.Errorf("the trace is cut short: it ends at byte %d within %s", len(r.data), what)
	}
	if r.err != nil {
		return make([]byte, n)
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *reader) head() (*Dump, int) {
	b := r.take(headSize-len(magicBegin), "the head")
	v, cpus, capacity := u32(b, 0), u32(b, 4), u32(b, 8)
	switch {
	case r.err != nil:
	case v != version:
		r.err = fmt.Errorf("trace of version %d; this tool reads version %d", v, version)
	case cpus == 0 || cpus > maxCPUs:
		r.fail("%d CPUs, where 1 to %d are possible", cpus, maxCPUs)
	case capacity == 0 || capacity > maxRing:
		r.fail("rings of %d records, where 1 to %d are possible", capacity, maxRing)
	}
	return &Dump{TSCHz: u64(b, 12), Capacity: int(capacity)}, int(cpus)
}

// ring reads what one CPU recorded.
func (r *reader) ring(capacity int) Ring {
	b := r.take(ringSize, "the head of a ring")
	id, count := u32(b, 0), u32(b, 4)
	ring := Ring{CPU: int(id), Lost: u64(b, 8)}
	if id >= maxCPUs {
		r.fail("a ring of CPU %d", id)
	}
	if int64(count) > int64(capacity) {
		r.fail("%d records of CPU %d in a ring of %d", count, id, capacity)
	}
	for i := uint32(0); i < count && r.err == nil; i++ {
		rec := r.record(ring.CPU)
		if n := len(ring.Records); n > 0 && int32(rec.Sequence-ring.Records[n-1].Sequence) <= 0 {
			r.fail("record %d of CPU %d follows record %d", rec.Sequence, id, ring.Records[n-1].Sequence)
		}
		ring.Records = append(ring.Records, rec)
	}
	return ring
}

// record reads one record, which the ring of CPU id holds.
func (r *reader) record(id int) Record {
	b := r.take(recordSize, fmt.Sprintf("a record of CPU %d", id))
	rec := Record{
		Sequence: u32(b, 8),
		Kind:     Kind(binary.LittleEndian.Uint16(b[12:])),
		CPU:      int(binary.LittleEndian.Uint16(b[14:])),
		Context:  int32(u32(b, 16)),
		Thread:   int32(u32(b, 20)),
	}
	for i := range rec.Args {
		rec.Args[i] = u32(b, 24+4*i)
	}
	ns := u64(b, 0)
	if ns > math.MaxInt64 {
		r.fail("a record of CPU %d at %d ns", id, ns)
	}
	rec.Time = time.Duration(ns)
	if rec.Kind.String() == "unknown" {
		r.fail("a record of CPU %d of unknown kind %d", id, uint16(rec.Kind))
	}
	if rec.CPU != id {
		r.fail("a record of CPU %d in the ring of CPU %d", rec.CPU, id)
	}
	return rec
}

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
func u64(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
