package osbench

import (
	"encoding/binary"
	"fmt"

	"hearth/sys"
)

// roundBytes is what a writer sends before it ends.
const roundBytes = 4 << 20

func pipeRows() []*row {
	var rows []*row
	for _, size := range []int{4096, 16384, 65536} {
		for _, a := range []arm{near, far, free} {
			rows = append(rows, &row{name: fmt.Sprintf("Pipe/throughput.%d/%v", size, a), arm: a, peers: 1,
				warm: 2, rounds: 15, ops: 1, bytes: roundBytes,
				body: func(r *run) error { return throughput(r, new(bytePipe), size) }})
		}
	}
	return rows
}

// throughput measures from the spawn of a new writer until the caller has read
// its last byte. Every write carries its number, which the reader checks.
func throughput(r *run, pipe *bytePipe, size int) error {
	in, out := make([]byte, size), make([]byte, size)
	var side span
	write := func() {
		side.start = sys.CurrentCPU()
		for i := range roundBytes / size {
			binary.LittleEndian.PutUint64(out, uint64(i))
			pipe.writeAll(out)
		}
		side.end = sys.CurrentCPU()
	}
	return r.each(func(rd *round) error {
		began := sys.Now()
		t, err := r.spawn(write)
		if err != nil {
			return err
		}
		wrong := readNumbered(pipe, in)
		rd.took = sys.Now() - began
		if _, err = t.Join(); err == nil {
			err = wrong
		}
		rd.sides[1] = side
		return err
	})
}

// readNumbered reads a whole round, so that the writer ends, and returns the first
// write that did not arrive as sent.
func readNumbered(pipe *bytePipe, in []byte) (wrong error) {
	for i := range roundBytes / len(in) {
		pipe.readFull(in)
		if got := binary.LittleEndian.Uint64(in); got != uint64(i) && wrong == nil {
			wrong = fmt.Errorf("write %d of %d bytes arrived with number %d", i, len(in), got)
		}
	}
	return wrong
}
