package controls

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// baselines are the unmutated runs, shared by the controls that need the same.
type baselines struct {
	mu     sync.Mutex
	runs   map[string]*baseline // by what goes to go test
	groups map[string]*Control  // by package and flags: all tests that its controls name
}

// baseline is one unmutated run.
type baseline struct {
	once sync.Once
	out  outcome
	err  error
}

// group joins the tests of all controls of a package: one run of them all tells
// most often what each would, at the cost of one.
func (b *baselines) group(list []Control) {
	b.groups = map[string]*Control{}
	for _, c := range list {
		if strings.Contains(c.Test, "/") { // a subtest: alternatives would mix its levels
			continue
		}
		g := b.groups[c.group()]
		if g == nil {
			g = &Control{Package: c.Package, Flags: c.Flags}
			b.groups[c.group()] = g
		}
		if test := "(?:" + c.Test + ")"; !slices.Contains(strings.Split(g.Test, "|"), test) {
			g.Test = strings.TrimPrefix(g.Test+"|"+test, "|")
		}
	}
}

func (c *Control) group() string { return fmt.Sprintf("%q %q", c.Package, c.Flags) }

// unmutated tells what the tests of c do as they are. What a run of the whole
// group leaves open is settled by a run of its own.
func (r *runner) unmutated(c *Control) (outcome, error) {
	if g := r.plain.groups[c.group()]; g != nil && !strings.Contains(c.Test, "/") {
		out, err := r.baseline(g)
		named := regexp.MustCompile(c.Test) // Load has compiled it
		if err == nil && out.verdict == Green && slices.ContainsFunc(out.passed, named.MatchString) {
			return out, nil
		}
	}
	return r.baseline(c)
}

// baseline runs the tests that c names, once.
func (r *runner) baseline(c *Control) (outcome, error) {
	key := fmt.Sprintf("%q %q %q", c.Package, c.Test, c.Flags)
	r.plain.mu.Lock()
	b := r.plain.runs[key]
	if b == nil {
		b = &baseline{}
		r.plain.runs[key] = b
	}
	r.plain.mu.Unlock()
	b.once.Do(func() { b.out, b.err = c.goTest(r.ctx, r.command, r.root, "") })
	return b.out, b.err
}
