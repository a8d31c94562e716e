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
	r := runner{ctx: ctx, root: root, scratch: scratch, command: command, plain: baselines{runs: map[string]*baseline{}}}
	r.plain.group(list)
	results := make([]Result, len(list))
	var telling sync.Mutex
	parallel(len(list), func(i int) {
		results[i] = r.run(i, list[i])
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
	command GoCommand
	plain   baselines
}

// run proves one control.
func (r *runner) run(i int, c Control) Result {
	res := Result{Control: c}
	dir := filepath.Join(r.scratch, fmt.Sprint(i))
	err := os.Mkdir(dir, 0o755)
	var m mutation
	if err == nil {
		m, err = c.mutate(r.root, dir)
	}
	if err != nil {
		res.Failure = err.Error()
		return res
	}
	res.Line = m.line
	before, err := r.unmutated(&c)
	if err == nil && before.verdict != Green {
		err = fmt.Errorf("without the mutation: %s", before)
	}
	if err != nil {
		res.Failure = err.Error()
		return res
	}
	start := time.Now()
	after, err := c.goTest(r.ctx, r.command, r.root, m.overlay)
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
