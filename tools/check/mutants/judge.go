package mutants

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// memory bounds the address space of a test, in KiB: a mutant's endless loop may
// allocate.
const memory = 8 << 20

// command runs the tests of u with a mutant, at most for limit.
func (u *unit) command(ctx context.Context, mutant int, limit time.Duration, more ...string) *exec.Cmd {
	args := []string{"-c", `ulimit -v "$0" && exec "$@"`, fmt.Sprint(memory), u.binary, "-test.failfast", "-test.timeout=" + limit.String()}
	if len(u.tests) > 0 {
		args = append(args, "-test.run=^("+strings.Join(u.tests, "|")+")$")
	}
	cmd := exec.CommandContext(ctx, "sh", append(append(args, u.flags...), more...)...)
	cmd.Dir = u.folder
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, mutant))
	cmd.WaitDelay = time.Second
	return cmd
}

// patience is how much longer than usual a test may take before it hangs.
func (u *unit) patience() time.Duration { return 5*time.Second + 20*u.usual }

// run judges a mutant by one unit.
func (u *unit) run(ctx context.Context, m *Mutant) (Verdict, string) {
	out, err := u.command(ctx, m.id, u.patience()).CombinedOutput()
	switch {
	case err == nil:
		return Survived, ""
	case bytes.Contains(out, []byte("panic: test timed out after")):
		return Hung, firstRunning(out)
	}
	return Killed, firstFailure(out)
}

var (
	failLine    = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	runningLine = regexp.MustCompile(`(?m)^\s+(Test\S+) \(`)
	crashLine   = regexp.MustCompile(`(?m)^(panic|fatal error): .*`)
)

// firstFailure names the first test that failed, or says how the process died.
func firstFailure(out []byte) string {
	if m := failLine.FindSubmatch(out); m != nil {
		return string(m[1])
	}
	return cmp.Or(string(crashLine.Find(out)), "the process ended")
}

// firstRunning names a test that was running at the timeout.
func firstRunning(out []byte) string {
	if m := runningLine.FindSubmatch(out); m != nil {
		return string(m[1])
	}
	return ""
}

// judge is a run over many mutants.
type judge struct {
	*binaries
	mu       sync.Mutex
	results  []Result
	done     int
	survived int
	start    time.Time
	told     time.Time
	progress io.Writer
}

// judgeAll judges the mutants on as many CPUs as there are.
func (b *binaries) judgeAll(ctx context.Context, list []Mutant, progress io.Writer) ([]Result, error) {
	j := &judge{binaries: b, results: make([]Result, len(list)), start: time.Now(), told: time.Now(), progress: progress}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(len(list), runtime.NumCPU()) {
		wg.Go(func() {
			for i := range next {
				j.note(i, j.judge(ctx, list[i]))
			}
		})
	}
	// In another order than the source's: the first ones tell how long all will take.
	for _, i := range rand.New(rand.NewPCG(1, 0)).Perm(len(list)) {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	return j.results, ctx.Err()
}

// judge runs one mutant through the units until one notices.
func (j *judge) judge(ctx context.Context, m Mutant) Result {
	for _, u := range j.order() {
		if ctx.Err() != nil {
			break
		}
		verdict, by := u.run(ctx, &m)
		j.mu.Lock()
		u.runs++
		if verdict != Survived {
			u.kills++
		}
		j.mu.Unlock()
		if verdict != Survived {
			return Result{Mutant: m, Verdict: verdict, By: by}
		}
	}
	return Result{Mutant: m}
}

// order puts the units that notice most in least time first.
func (j *judge) order() []*unit {
	j.mu.Lock()
	defer j.mu.Unlock()
	worth := map[*unit]float64{}
	for _, u := range j.units {
		worth[u] = (float64(u.kills) + 1) / (float64(u.runs) + 2) / (0.05 + u.usual.Seconds())
	}
	order := slices.Clone(j.units)
	slices.SortStableFunc(order, func(a, b *unit) int { return cmp.Compare(worth[b], worth[a]) })
	return order
}

// every is how often a long run says how far it is.
const every = 15 * time.Second

// note keeps a result and tells survivors at once, and how far the run is.
func (j *judge) note(i int, r Result) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.results[i] = r
	j.done++
	if j.progress == nil {
		return
	}
	if r.Verdict == Survived {
		j.survived++
		fmt.Fprintln(j.progress, r.survivedLine())
	}
	if time.Since(j.told) < every {
		return
	}
	j.told = time.Now()
	spent := time.Since(j.start)
	left := spent / time.Duration(j.done) * time.Duration(len(j.results)-j.done)
	fmt.Fprintf(j.progress, "mutants: %d of %d, %d survived, %v left\n", j.done, len(j.results), j.survived, left.Round(time.Second))
}
