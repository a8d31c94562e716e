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
	run    func(*Control) (outcome, error) // runs the tests that a control names
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

// newBaselines joins the tests of all controls of a package: one run of them all
// tells most often what each would, at the cost of one.
func newBaselines(list []Control, run func(*Control) (outcome, error)) *baselines {
	b := &baselines{run: run, runs: map[string]*baseline{}, groups: map[string]*Control{}}
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
	return b
}

func (c *Control) group() string { return fmt.Sprintf("%q %q", c.Package, c.Flags) }

// of tells what the tests of c do without the mutation. What a run of the whole
// group leaves open is settled by a run of its own.
func (b *baselines) of(c *Control) (outcome, error) {
	if g := b.groups[c.group()]; g != nil && !strings.Contains(c.Test, "/") {
		out, err := b.once(g)
		named := regexp.MustCompile(c.Test) // Load has compiled it
		if err == nil && out.verdict == Green && slices.ContainsFunc(out.passed, named.MatchString) {
			return out, nil
		}
	}
	return b.once(c)
}

// once runs the tests that c names, if nobody has.
func (b *baselines) once(c *Control) (outcome, error) {
	key := fmt.Sprintf("%q %q %q", c.Package, c.Test, c.Flags)
	b.mu.Lock()
	one := b.runs[key]
	if one == nil {
		one = &baseline{}
		b.runs[key] = one
	}
	b.mu.Unlock()
	one.once.Do(func() { one.out, one.err = b.run(c) })
	return one.out, one.err
}
