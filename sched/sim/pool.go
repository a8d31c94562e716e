package sim

import (
	"hearth/cpu"
	"hearth/sched"
	"sync"
)

// A scheduler is some 4 MiB, and the pages of a new one cost more than most runs. So
// those of finished runs are emptied and used again.
var pool = struct {
	sync.Mutex
	free   []*real
	shapes map[string]*cpu.Topology
}{shapes: map[string]*cpu.Topology{}}

// pooled bounds what is kept of each.
const pooled, pooledShapes = 16, 256

// takeEngine returns an engine that is ready for Init.
func takeEngine(name string) (engine, error) {
	if name == "" || name == Hearth {
		pool.Lock()
		defer pool.Unlock()
		if n := len(pool.free); n > 0 {
			e := pool.free[n-1]
			pool.free = pool.free[:n-1]
			return e, nil
		}
	}
	return newEngine(name)
}

// giveBack empties an engine for the next run.
func giveBack(e engine) {
	r, ok := e.(*real)
	if !ok {
		return
	}
	*r.Scheduler, r.differs = sched.Scheduler{}, ""
	pool.Lock()
	defer pool.Unlock()
	if len(pool.free) < pooled {
		pool.free = append(pool.free, r)
	}
}

// topology returns the machine of the scenario. It is only read, so runs share it.
func (sc *Scenario) topology() (*cpu.Topology, error) {
	if sc.Topology != nil {
		return sc.Topology, nil
	}
	pool.Lock()
	defer pool.Unlock()
	if top := pool.shapes[sc.Shape]; top != nil {
		return top, nil
	}
	top, err := Machine(sc.Shape)
	if err == nil && len(pool.shapes) < pooledShapes {
		pool.shapes[sc.Shape] = top
	}
	return top, err
}
