package walk

import (
	"fmt"
	"slices"
	"strings"
)

// node is a function in the graph of calls; parent and from say how the walk
// came there first, which is a shortest way.
type node struct {
	*body
	parent  *node
	from    uint64 // the calling instruction in parent
	callees []callee

	need     need     // valid once done
	worst    [2]*node // the callee that makes the need, nil if the function itself does
	onward   [2]int   // which of that callee's stacks it is
	progress int      // of the search for recursion
}

type callee struct {
	*node
	site
}

// visit returns the node of the code at addr, new or known.
func (w *walker) visit(fn *function, addr uint64, parent *node, from uint64) *node {
	if n := w.nodes[addr]; n != nil {
		return n
	}
	n := &node{body: w.im.follow(fn, addr, w.cfg), parent: parent, from: from}
	w.nodes[addr] = n
	w.queue = append(w.queue, n)
	return n
}

// expand judges what one function does and visits what it calls.
func (w *walker) expand(n *node) {
	for _, f := range n.faults {
		w.found(n, f)
	}
	for _, s := range n.sites {
		fn := w.im.function(s.target)
		rule, why := w.cfg.denied(fn)
		switch {
		case fn == nil:
			w.found(n, fault{s.at, ruleFlow, fmt.Sprintf("goes to %#x, where no function is", s.target)})
		case w.cfg.crash(fn):
			w.report.Crashes++
		case rule != "":
			w.found(n, fault{s.at, rule, why})
		case w.cfg.skips(fn):
			w.found(n, fault{s.at, ruleEntry, "goes to " + fn.name + ", which the entry list leaves out"})
		case w.cfg.leaves(n.fn) && strings.HasPrefix(fn.name, "_rt0_"):
			// the start of the program: what runs there is no kernel code
		default:
			n.callees = append(n.callees, callee{w.visit(fn, s.target, n, s.at), s})
		}
	}
}

// found reports a fault with the way there.
func (w *walker) found(n *node, f fault) {
	what := f.what
	if way := w.way(n, f.at); way != "" {
		what += "; " + way
	}
	w.report.Findings = append(w.report.Findings, Finding{w.im.where(f.at), f.rule, what})
}

// way says how the walk came to an instruction of n.
func (w *walker) way(n *node, at uint64) string {
	var steps []string
	for ; n != nil; n, at = n.parent, n.from {
		steps = append(steps, fmt.Sprintf("%s (%s)", n.fn.name, w.im.where(at)))
	}
	slices.Reverse(steps)
	return strings.Join(steps, " → ")
}
