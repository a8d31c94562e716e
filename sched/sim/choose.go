package sim

import (
	"hearth/cpu"
	"slices"
	"time"
)

// chooser makes the choices of a run: which of the steps that can be taken comes
// next, and how long things take. What it returns is all that tells two runs of a
// scenario apart.
type chooser interface {
	// step chooses one of two or more.
	step(m *machine, choices []choice) int
	// between chooses a time, low <= high.
	between(low, high time.Duration) time.Duration
	// chance is true about once in n.
	chance(n int) bool
}

func (r *random) step(_ *machine, choices []choice) int { return r.below(len(choices)) }

func (r *random) chance(n int) bool { return r.below(n) == 0 }

// bytesChooser takes its choices from bytes that a fuzzer made, then the first of each.
type bytesChooser struct{ data []byte }

func (b *bytesChooser) next() int {
	if len(b.data) == 0 {
		return 0
	}
	n := int(b.data[0])
	b.data = b.data[1:]
	return n
}

func (b *bytesChooser) step(_ *machine, choices []choice) int { return b.next() % len(choices) }

func (b *bytesChooser) between(low, high time.Duration) time.Duration {
	return low + (high-low)*time.Duration(b.next())/255
}

func (b *bytesChooser) chance(n int) bool { return b.next()%n == 1 }

// instant is a machine on which kernel code takes no time and nothing is late: the
// order of the steps is all that remains to choose.
type instant struct{}

func (instant) between(_, _ time.Duration) time.Duration { return 0 }
func (instant) chance(int) bool                          { return false }

// priorities chooses by probabilistic concurrency testing (Burckhardt et al., 2010):
// each CPU has a random priority and the highest that can take a step does; at a few
// random steps the one that was about to take it falls behind all others. A fault that
// needs d orderings is met with a probability of at least 1/(CPUs × steps^(d-1)).
type priorities struct {
	instant
	random  random
	rank    []int // by CPU, higher goes first
	changes []int // steps at which the running CPU falls back, ascending
	lowest  int
}

// Depth is the number of orderings that a run of mode PCT looks for.
const Depth = 3

// typical is the number of steps over which the changes are spread.
const typical = 400

func newPriorities(seed uint64, cpus int) *priorities {
	p := &priorities{random: random{seed}, rank: make([]int, cpus)}
	for i := range p.rank {
		at := p.random.below(i + 1)
		p.rank[i] = p.rank[at]
		p.rank[at] = i
	}
	for range Depth - 1 {
		p.changes = append(p.changes, p.random.below(typical))
	}
	slices.Sort(p.changes)
	return p
}

func (p *priorities) step(m *machine, choices []choice) int {
	best := p.best(choices)
	for len(p.changes) > 0 && m.step >= p.changes[0] {
		p.changes = p.changes[1:]
		p.lowest--
		p.rank[choices[best].cpu] = p.lowest
		best = p.best(choices)
	}
	return best
}

// best returns a random one of the steps of the CPU with the highest priority.
func (p *priorities) best(choices []choice) int {
	first, n := 0, 0
	for i, c := range choices {
		switch best := choices[first].cpu; {
		case p.rank[c.cpu] > p.rank[best]:
			first, n = i, 1
		case c.cpu == best:
			n++
		}
	}
	return first + p.random.below(max(n, 1))
}

// prefix takes the choices of a list, then goes on with the CPU that took the last
// step as long as that can, and writes down what there was to choose.
type prefix struct {
	instant
	list  []int
	taken []taken
}

// taken is a choice that prefix made.
type taken struct {
	at, of  int
	staying bool // the CPU of the last step could have gone on: another choice is a departure
}

func (p *prefix) step(m *machine, choices []choice) int {
	order := staysFirst(choices, m.last)
	t := taken{of: len(choices), staying: choices[order[0]].cpu == m.last}
	if n := len(p.taken); n < len(p.list) {
		t.at = p.list[n]
	}
	p.taken = append(p.taken, t)
	return order[t.at]
}

// staysFirst orders choices so that those of the CPU last come first.
func staysFirst(choices []choice, last cpu.ID) []int {
	order := make([]int, 0, len(choices))
	for i, c := range choices {
		if c.cpu == last {
			order = append(order, i)
		}
	}
	for i, c := range choices {
		if c.cpu != last {
			order = append(order, i)
		}
	}
	return order
}
