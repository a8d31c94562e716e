// Package score runs scenarios of the simulator under several policies and shows
// who passes what, and at what cost: as text, as JSON and as a picture.
package score

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"hearth/sched/sim"
)

// Config says what is compared.
type Config struct {
	Scenarios []*sim.Scenario
	Policies  []string      // names of sim.Engines; the first is the one that is judged
	Seeds     int           // runs of each scenario under each policy
	Patience  time.Duration // how long, in real time, a step may take; 0: what the simulator says
	Progress  io.Writer     // told how far a long run is; may be nil
}

// Board is the result: a cell for each policy and scenario.
type Board struct {
	Policies  []string
	Scenarios []string
	Seeds     int
	Cells     []Cell        // by scenario, then by policy
	Totals    []Total       // by policy
	Took      time.Duration `json:"-"`
}

// Name is a scenario's name with its variant, as `hearth sim` takes it.
func Name(sc *sim.Scenario) string {
	if sc.Kind == "" {
		return sc.Name
	}
	return sc.Name + "-" + sc.Kind
}

// Run compares. The error says which scenario or policy cannot be; that a scenario
// fails under a policy is a result.
func Run(ctx context.Context, c Config) (*Board, error) {
	b := &Board{Policies: c.Policies, Seeds: c.Seeds}
	for _, sc := range c.Scenarios {
		b.Scenarios = append(b.Scenarios, Name(sc))
	}
	b.Cells = make([]Cell, len(c.Scenarios)*len(c.Policies))
	r := runner{ctx: ctx, c: &c, b: b, start: time.Now(), told: time.Now(), hung: map[string]string{}}
	r.all()
	if r.err == nil {
		r.err = ctx.Err()
	}
	if r.err != nil {
		return nil, r.err
	}
	b.total()
	b.Took = time.Since(r.start)
	return b, nil
}

// Cell returns what one policy did on one scenario, by their places in the lists.
func (b *Board) Cell(scenario, policy int) *Cell { return &b.Cells[scenario*len(b.Policies)+policy] }

// runner fills a board.
type runner struct {
	ctx   context.Context
	c     *Config
	b     *Board
	start time.Time

	mu   sync.Mutex // guards what follows
	err  error
	done int
	told time.Time
	hung map[string]string // where policies did not come back, by name
}

// all fills the cells on as many CPUs as there are.
func (r *runner) all() {
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				r.fill(i)
			}
		})
	}
	for i := range r.b.Cells {
		if r.ctx.Err() == nil && !r.failed() {
			next <- i
		}
	}
	close(next)
	wg.Wait()
}

func (r *runner) failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err != nil
}

// fill runs the i-th cell.
func (r *runner) fill(i int) {
	s, p := i/len(r.c.Policies), i%len(r.c.Policies)
	cell := &r.b.Cells[i]
	cell.Scenario, cell.Policy = r.b.Scenarios[s], r.c.Policies[p]
	err := r.unlessHung(cell, r.c.Scenarios[s])
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s under %s: %w", cell.Scenario, cell.Policy, err)
	}
	r.done++
	r.tell()
}

// unlessHung runs a cell. A policy that did not come back in another one is not asked
// again: each time would cost the whole patience.
func (r *runner) unlessHung(cell *Cell, sc *sim.Scenario) error {
	r.mu.Lock()
	where := r.hung[cell.Policy]
	r.mu.Unlock()
	if where != "" {
		cell.Runs, cell.First = 1, "not run: the policy did not come back in "+where
		return nil
	}
	err := cell.run(r.ctx, sc, r.c.Seeds, r.c.Patience)
	if cell.hung {
		r.mu.Lock()
		r.hung[cell.Policy] = cell.Scenario
		r.mu.Unlock()
	}
	return err
}

// every is how often a long run says how far it is.
const every = 5 * time.Second

func (r *runner) tell() {
	if r.c.Progress == nil || time.Since(r.told) < every {
		return
	}
	r.told = time.Now()
	left := time.Since(r.start) / time.Duration(r.done) * time.Duration(len(r.b.Cells)-r.done)
	fmt.Fprintf(r.c.Progress, "score: %d of %d cells, %v left\n", r.done, len(r.b.Cells), left.Round(time.Second))
}
