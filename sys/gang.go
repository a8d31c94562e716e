package sys

import (
	"strconv"
	"sync/atomic"
	"syscall"
)

// Gang is a set of threads that work together more than with their spawner: Hearth
// starts them in one LLC domain that has a free core for each, their spawner's own if
// it has, else in as few domains as can be. Put it into the Options of each. Several
// threads may spawn at once.
type Gang struct {
	left atomic.Int32
	last atomic.Int32 // CPU + 1 where the last one was placed; 0: none was
}

// relationGang is how the call spawn is told of a gang.
const relationGang = 2

// NewGang makes a gang of n threads, EINVAL unless n is within 1 and MaxThreads. More
// may join it; they go where the last one went as long as there is room.
func NewGang(n int) (*Gang, error) {
	if n < 1 || n > MaxThreads {
		return nil, &Error{"new gang", "a gang of " + strconv.Itoa(n) + " threads; it must be within 1 and " + strconv.Itoa(MaxThreads), syscall.EINVAL}
	}
	g := new(Gang)
	g.left.Store(int32(n))
	return g, nil
}

// next returns how many threads are to come and where the last one went, -1 for none.
func (g *Gang) next() (left uint32, toward int32) {
	return uint32(max(g.left.Load(), 1)), g.last.Load() - 1
}

// placed notes that a thread of the gang starts on a CPU.
func (g *Gang) placed(cpu int32) {
	g.last.Store(cpu + 1)
	g.left.Add(-1)
}
