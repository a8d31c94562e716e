package controls

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Result is what became of one control.
type Result struct {
	Control Control
	Line    int           // of the mutated text in its file
	Verdict Verdict       // of the mutated run, if there was one
	Failure string        // why the control proves nothing; "" for a good one
	Detail  string        // the test that went red, or what was seen instead
	Took    time.Duration // the mutated run
	Joint   bool          // it ran in a binary with other controls
}

// Run applies each control and returns the results in the order of list; each, if
// there is one, is told a result as soon as it is there, one at a time. The named
// tests run unmutated first: what is red before the mutation proves nothing.
func Run(ctx context.Context, root string, list []Control, command GoCommand, each func(Result)) ([]Result, error) {
	build := filepath.Join(root, "build")
	if err := os.MkdirAll(build, 0o755); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(build, "_controls-") // go's patterns pass over names that start so
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	r := newRunner(ctx, root, scratch, list, command)
	results := make([]Result, len(list))
	var telling sync.Mutex
	parallel(len(list), func(i int) {
		results[i] = r.run(i)
		if each != nil && ctx.Err() == nil {
			telling.Lock()
			defer telling.Unlock()
			each(results[i])
		}
	})
	return results, ctx.Err()
}

// parallel calls f for 0 to n-1 on as many goroutines as there are CPUs.
func parallel(n int, f func(int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(n, runtime.NumCPU()) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

type runner struct {
	ctx     context.Context
	root    string
	scratch string
	list    []Control
	command GoCommand
	alone   way
	joints  map[string]*joint // by package, of the controls without flags
}

// way is how the tests of a control run, with its mutation and without.
type way struct {
	plain   *baselines
	mutated func(i int, m mutation) (outcome, error) // the i-th control
}

func newRunner(ctx context.Context, root, scratch string, list []Control, command GoCommand) *runner {
	r := &runner{ctx: ctx, root: root, scratch: scratch, list: list, command: command}
	r.alone.plain = newBaselines(list, func(c *Control) (outcome, error) { return c.goTest(ctx, command, root, "") })
	r.alone.mutated = func(i int, m mutation) (outcome, error) { return list[i].goTest(ctx, command, root, m.overlay) }
	r.joints = r.groupJoints()
	return r
}

// run proves one control. A binary that holds others, too, is believed only when
// it shows what a good control shows; all else is judged by a build of its own.
func (r *runner) run(i int) Result {
	m, err := r.layOut(i)
	if err != nil {
		return Result{Control: r.list[i], Failure: err.Error()}
	}
	if w := r.jointWay(i); w != nil {
		if res := r.prove(w, i, m); res.Failure == "" {
			res.Joint = true
			return res
		}
	}
	return r.prove(&r.alone, i, m)
}

// layOut writes the mutated file of the i-th control.
func (r *runner) layOut(i int) (mutation, error) {
	dir := filepath.Join(r.scratch, fmt.Sprint(i))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return mutation{}, err
	}
	return r.list[i].mutate(r.root, dir)
}

// prove runs the tests of a control one way, unmutated and mutated.
func (r *runner) prove(w *way, i int, m mutation) Result {
	res := Result{Control: r.list[i], Line: m.line}
	before, err := w.plain.of(&r.list[i])
	if err == nil && before.verdict != Green {
		err = fmt.Errorf("without the mutation: %s", before)
	}
	if err != nil {
		res.Failure = err.Error()
		return res
	}
	start := time.Now()
	after, err := w.mutated(i, m)
	res.Took, res.Verdict, res.Detail = time.Since(start), after.verdict, after.detail
	switch {
	case err != nil:
		res.Failure = err.Error()
	case after.verdict == Green:
		res.Failure = "stays green: " + after.detail + " does not notice the mutation"
	case after.verdict != Red:
		res.Failure = "with the mutation: " + after.String()
	}
	return res
}

// String is the verdict with its explanation.
func (o outcome) String() string { return strings.TrimSuffix(o.verdict.String()+": "+o.detail, ": ") }
