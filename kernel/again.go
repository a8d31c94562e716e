package kernel

// A call that would run long does a bounded piece in each kernel entry: it
// leaves how far it has come in the context's progress and has the program
// execute its SYSCALL once more, so that interrupts and other contexts get their
// turn in between. Until the call is done the context takes no signal: a handler
// that made a call of its own would find another's progress.

// progress is how far a long call has come. call is its number, 0 while no call
// is under way; what the words mean is up to the call, which finds them zero
// in its first piece.
type progress struct {
	call         uint64
	at           uintptr // memory, topology, stats: where what is left begins
	woken, moved uint32  // futex
	sequence     uint64  // futex: the youngest waiter when the call began
}

// syscallLength is the size of a SYSCALL instruction.
const syscallLength = 2

// again ends a piece of the call whose registers are in f; the results are those
// of a call that has blocked.
func (x *context) again(f *frame) (result int64, blocked bool) {
	x.progress.call = f.ax
	f.ip -= syscallLength
	return 0, true
}

// finish ends a call that may have had pieces.
func (x *context) finish(result int64) (int64, bool) {
	x.progress = progress{}
	return result, false
}

// resumed reports whether the call is one that began in an earlier entry.
func (x *context) resumed(f *frame) bool {
	if x.progress.call == 0 {
		return false
	}
	if x.progress.call != f.ax {
		crash("a context in the middle of a long call made another")
	}
	return true
}

// ready returns the signals that may be delivered now.
func (x *context) ready() uint64 {
	if x.progress.call != 0 {
		return 0
	}
	return x.pending.Load() &^ x.masked
}
