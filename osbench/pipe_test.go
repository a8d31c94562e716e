package osbench

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"hearth/sys"
)

// The pipe carries the same bytes in the same order, whatever the sizes on both
// sides, also round the end of its buffer.
func TestPipeMovesTheRightBytes(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 1))
		sent := make([]byte, 3*pipeBytes+rng.IntN(pipeBytes))
		for i := range sent {
			sent[i] = byte(rng.Uint32())
		}
		pipe := new(bytePipe)
		pipe.wrote, pipe.read = ^uint32(0)-1000, ^uint32(0)-1000 // the counters wrap on the way
		writer, err := sys.Spawn(func() { inPieces(rand.New(rand.NewPCG(seed, 2)), sent, pipe.writeAll) })
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(sent))
		inPieces(rand.New(rand.NewPCG(seed, 3)), got, pipe.readFull)
		if _, err := writer.Join(); err != nil {
			t.Fatal(err)
		}
		if sha256.Sum256(got) != sha256.Sum256(sent) {
			t.Errorf("seed %d: other bytes arrived", seed)
		}
	}
}

// inPieces gives all of p to use in pieces of random sizes, some beyond the pipe's.
func inPieces(rng *rand.Rand, p []byte, use func([]byte)) {
	for len(p) > 0 {
		n := min(len(p), 1+rng.IntN(1<<(1+rng.IntN(18))))
		use(p[:n])
		p = p[n:]
	}
}

func TestWriteThatArrivesChangedFailsTheRound(t *testing.T) {
	const size = 65536
	pipe := new(bytePipe)
	writer, err := sys.Spawn(func() {
		out := make([]byte, size)
		for i := range roundBytes / size {
			number := uint64(i)
			if i == 5 {
				number = 99
			}
			binary.LittleEndian.PutUint64(out, number)
			pipe.writeAll(out)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	wrong := readNumbered(pipe, make([]byte, size))
	if wrong == nil || !strings.Contains(wrong.Error(), "write 5 of 65536 bytes arrived with number 99") {
		t.Errorf("error %v", wrong)
	}
	writer.Join()
}

func TestPipeRoundsMoveAllTheirBytes(t *testing.T) {
	for _, size := range []int{4096, 65536} {
		var moved uint32
		r := &row{arm: free, peers: 1, rounds: 3, ops: 1, bytes: roundBytes, body: func(r *run) error {
			pipe := new(bytePipe)
			defer func() { moved = pipe.read }()
			return throughput(r, pipe, size)
		}}
		if res := r.measure(thisMachine(t), 1); res.err != nil || moved != 3*roundBytes {
			t.Errorf("%d bytes a write: %d bytes moved, want 3 × %d; %v", size, moved, roundBytes, res.err)
		}
	}
}
