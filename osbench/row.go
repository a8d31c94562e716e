package osbench

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"hearth/sys"
)

// suite is the smallest suite that holds a row.
type suite int

const (
	smoke suite = iota
	core
)

// row is one benchmark. Rounds are those of scale 1; each does ops operations.
type row struct {
	name   string // as printed behind "Benchmark"
	suite  suite
	arm    arm
	peers  int // threads besides the caller whose CPUs a round keeps
	warm   int // rounds before the counted ones
	rounds int
	ops    int
	bytes  int // moved by a round, for a row in MB/s
	body   func(*run) error
}

// allRows lists the groups in the order in which they run.
func allRows() []*row {
	var rows []*row
	for _, group := range [][]*row{threadRows(), wakeRows(), pipeRows(), schedRows()} {
		rows = append(rows, group...)
	}
	return rows
}

// span is where one side of a round began and ended.
type span struct{ start, end int }

// round is one measurement: side 0 is the caller, the others are the peers.
type round struct {
	took  time.Duration
	sides []span
}

// run is what a row's body measures with.
type run struct {
	*row
	caller, peer *sys.Mask // nil: any CPU of the process
	done         []round
	want         int
}

// result is one measured, skipped or failed row.
type result struct {
	row      *row
	rounds   []round
	skip     string
	err      error
	gcCycles uint64
	stats    *sys.Stats // what the row added; nil where the kernel does not count
}

// measure runs the row in a caller thread of its own, with the collector off.
func (r *row) measure(m *machine, scale float64) *result {
	res := &result{row: r}
	caller, peer, skip := r.arm.place(m.top)
	if skip != "" {
		res.skip = skip
		return res
	}
	if needs := r.peers + 3; needs > runtime.GOMAXPROCS(0) {
		defer sys.RaiseProcs(needs)()
	}
	run := newRun(r, caller, peer, scale)
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	cycles, before := gcCycles(), readStats()
	res.err = inThread(caller, func() error { return r.body(run) })
	res.gcCycles, res.stats = gcCycles()-cycles, before.added()
	res.rounds = run.done
	res.conclude(m)
	return res
}

// skipped is what a body returns that cannot run here, and why.
type skipped string

// Error returns the reason.
func (s skipped) Error() string { return string(s) }

func (res *result) conclude(m *machine) {
	if reason, ok := res.err.(skipped); ok {
		res.skip, res.err = string(reason), nil
	} else if res.err == nil {
		res.err = res.check(m.top)
	}
}

func newRun(r *row, caller, peer *sys.Mask, scale float64) *run {
	n := max(1, int(math.Round(float64(r.rounds)*scale)))
	run := &run{row: r, caller: caller, peer: peer, want: n, done: make([]round, 0, n)}
	sides := make([]span, (n+1)*(1+r.peers))
	for i := range n {
		run.done = append(run.done, round{sides: sides[i*(1+r.peers):][:1+r.peers]})
	}
	run.done = run.done[:0]
	return run
}

// each carries out the warm-up rounds and then the counted ones. op sets what it
// took and where its peers ran.
func (r *run) each(op func(*round) error) error {
	warm := round{sides: make([]span, 1+r.peers)}
	for range r.warm {
		if err := r.one(&warm, op); err != nil {
			return fmt.Errorf("warm-up: %w", err)
		}
	}
	for len(r.done) < r.want {
		r.done = r.done[:len(r.done)+1]
		if err := r.one(&r.done[len(r.done)-1], op); err != nil {
			return fmt.Errorf("round %d: %w", len(r.done)-1, err)
		}
	}
	return nil
}

func (r *run) one(rd *round, op func(*round) error) error {
	rd.sides[0].start = sys.CurrentCPU()
	err := op(rd)
	rd.sides[0].end = sys.CurrentCPU()
	return err
}

// spawn starts a peer where the arm wants it.
func (r *run) spawn(fn func()) (sys.Thread, error) {
	return sys.SpawnWith(sys.Options{Mask: r.peer}, fn)
}

// inThread runs fn in a thread on the given CPUs and waits for it.
func inThread(mask *sys.Mask, fn func() error) error {
	var err error
	t, refused := sys.SpawnWith(sys.Options{Mask: mask, Name: "osbench"}, func() { err = fn() })
	if refused != nil {
		return refused
	}
	if _, refused = t.Join(); refused != nil {
		return refused
	}
	return err
}

func gcCycles() uint64 {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// statsBefore is nil where the kernel keeps no counts.
type statsBefore struct{ sys.Stats }

func readStats() *statsBefore {
	s, err := sys.ReadStats()
	if err != nil {
		return nil
	}
	return &statsBefore{s}
}

func (b *statsBefore) added() *sys.Stats {
	if b == nil {
		return nil
	}
	now, err := sys.ReadStats()
	if err != nil {
		return nil
	}
	diff := now.Sub(b.Stats)
	return &diff
}
