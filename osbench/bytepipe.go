package osbench

import (
	"sync/atomic"

	"hearth/sys"
)

// pipeBytes holds two of the largest writes, so that one can be filled while the
// other is drained. It is a power of two.
const pipeBytes = 128 << 10

// bytePipe moves bytes from one writer to one reader. Each side owns its counter,
// publishes it by an atomic store and sleeps on the other's; they wrap at 32 bits.
//
// A side that finds nothing to do raises its flag, then looks at the other's
// counter again (the futex call does) before it sleeps; the other stores its
// counter, then looks at the flag. One of the two sees the other.
type bytePipe struct {
	wrote       uint32
	writerWaits atomic.Bool
	_           [56]byte // the two sides' words share no line
	read        uint32
	readerWaits atomic.Bool
	_           [56]byte
	bytes       [pipeBytes]byte
}

// writeAll returns when all of p is in the pipe.
func (b *bytePipe) writeAll(p []byte) {
	wrote := b.wrote // only the writer changes it
	for len(p) > 0 {
		read := atomic.LoadUint32(&b.read)
		room := pipeBytes - int(wrote-read)
		if room == 0 {
			sleepOn(&b.read, read, &b.writerWaits)
			continue
		}
		at := int(wrote % pipeBytes)
		n := copy(b.bytes[at:min(pipeBytes, at+room)], p)
		p = p[n:]
		wrote += uint32(n)
		publish(&b.wrote, wrote, &b.readerWaits)
	}
}

// readFull returns when p is filled.
func (b *bytePipe) readFull(p []byte) {
	read := b.read // only the reader changes it
	for len(p) > 0 {
		wrote := atomic.LoadUint32(&b.wrote)
		if wrote == read {
			sleepOn(&b.wrote, wrote, &b.readerWaits)
			continue
		}
		at := int(read % pipeBytes)
		n := copy(p, b.bytes[at:min(pipeBytes, at+int(wrote-read))])
		p = p[n:]
		read += uint32(n)
		publish(&b.read, read, &b.writerWaits)
	}
}

func sleepOn(counter *uint32, seen uint32, waits *atomic.Bool) {
	waits.Store(true)
	sys.FutexWait(counter, seen, sys.Forever)
	waits.Store(false)
}

func publish(counter *uint32, value uint32, waits *atomic.Bool) {
	atomic.StoreUint32(counter, value)
	if waits.Load() {
		sys.FutexWake(counter, 1)
	}
}
