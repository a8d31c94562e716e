package sim

import (
	"hearth/cpu"
	"hearth/sched"
)

// gang is the gang that is being spawned: as many Spawns with the same number as that
// says are one gang.
type gang struct {
	left int32
	last cpu.ID
}

// next fills in a request of a gang of n, which may be its first.
func (g *gang) next(n int32, req *sched.Request) {
	if n == 0 {
		return
	}
	if g.left == 0 {
		g.left, g.last = n, cpu.None
	}
	req.Cores, req.Toward = g.left, g.last
}

// placed notes where a thread of a gang of n was placed.
func (g *gang) placed(n int32, c cpu.ID) {
	if n != 0 {
		g.left, g.last = g.left-1, c
	}
}
