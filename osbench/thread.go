package osbench

import "hearth/sys"

// callBatch is how many short calls a round times together: a read of the clock
// costs as much as one of them.
const callBatch = 64

func threadRows() []*row {
	rows := []*row{
		{name: "Thread/null_call", arm: alone, warm: 5, rounds: 100, ops: callBatch, body: calls(sys.Null)},
		{name: "Thread/yield", arm: alone, warm: 5, rounds: 100, ops: callBatch, body: calls(sys.Yield)},
	}
	for _, a := range []arm{free, near, far} {
		rows = append(rows, &row{name: "Thread/spawn_join/" + a.String(), arm: a, peers: 1,
			warm: 20, rounds: 300, ops: 1, body: spawnJoin})
	}
	return rows
}

// spawnJoin measures from the spawn of a thread that only looks where it is to the
// end of its join.
func spawnJoin(r *run) error {
	var side span
	look := func() { side.start = sys.CurrentCPU(); side.end = side.start }
	return r.each(func(rd *round) error {
		began := sys.Now()
		t, err := r.spawn(look)
		if err != nil {
			return err
		}
		_, err = t.Join()
		rd.took, rd.sides[1] = sys.Now()-began, side
		return err
	})
}

func calls(call func()) func(*run) error {
	return func(r *run) error {
		return r.each(func(rd *round) error {
			began := sys.Now()
			for range callBatch {
				call()
			}
			rd.took = sys.Now() - began
			return nil
		})
	}
}
