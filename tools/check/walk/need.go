package walk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// How far the search for the need of a node is.
const (
	untouched = iota
	open      // on the way that is being searched: meeting it again is recursion
	done
)

// stackGuard is how far above the end of a stack the runtime's check at the
// start of a function ends the machine (a fact of Go 1.26).
const stackGuard = 928

// need is how much stack a function uses with all that it calls: of the stack
// that it has, and of the one that it, or what it calls, loads.
type need [2]int

// measure finds the worst need of every entry, and recursion.
func (w *walker) measure(roots []root) {
	for _, r := range roots {
		w.measureNode(r.node, nil)
		s := Stack{Name: r.fn.name, Own: r.need[0], Loaded: r.need[1]}
		if r.own > 0 {
			s.Own += hardwareFrame
		}
		for stack, limit := range []int{r.own, r.loaded} {
			n := []int{s.Own, s.Loaded}[stack]
			if n > max(0, limit-stackGuard) {
				w.report.Findings = append(w.report.Findings, Finding{w.im.where(r.fn.addr), ruleStack, fmt.Sprintf(
					"%s needs %d bytes of %s; of the %d that are there the runtime's guard takes %d: %s",
					s.Name, n, [...]string{"the stack that it enters on", "the stack that it loads"}[stack], limit, stackGuard,
					strings.Join(r.deepest(stack), " → "))})
			}
		}
		w.report.Entries = append(w.report.Entries, s)
	}
}

// deepest names the calls that make up the need, each with its own part of it.
func (n *node) deepest(stack int) []string {
	steps := []string{fmt.Sprintf("%s %d", n.fn.name, n.maxDepth[stack])}
	if c := n.worst[stack]; c != nil {
		steps = append(steps, c.deepest(n.onward[stack])...)
	}
	return steps
}

// measureNode sets n.need; way are the nodes that are open.
func (w *walker) measureNode(n *node, way []*node) {
	n.progress = open
	way = append(way, n)
	n.need = n.maxDepth
	for _, c := range n.callees {
		switch c.progress {
		case open:
			w.recursion(way, c)
			continue
		case untouched:
			w.measureNode(c.node, way)
		}
		n.take(c.stack, 0, c.depth+c.need[0], c.node)
		if c.stack == 1 { // a callee that loads a stack may come back to this one
			n.take(1, 1, c.depth+c.need[1], c.node)
		} else {
			n.take(1, 1, c.need[1], c.node)
		}
	}
	n.progress = done
}

// take raises the need of a stack to what a callee makes of it, which for the
// callee is the need of its stack onward.
func (n *node) take(stack, onward, bytes int, c *node) {
	if bytes > n.need[stack] {
		n.need[stack], n.worst[stack], n.onward[stack] = bytes, c, onward
	}
}

// recursion reports the part of the way from the first call of c's function on.
func (w *walker) recursion(way []*node, c callee) {
	var names []string
	for _, n := range way[slices.Index(way, c.node):] {
		names = append(names, n.fn.name)
	}
	names = append(names, c.fn.name)
	last := way[len(way)-1]
	w.found(last, fault{c.at, ruleRecursion, "calls itself: " + strings.Join(names, " → ")})
}

// summarise fills in what the walk covered.
func (w *walker) summarise() {
	insts := map[uint64]bool{}
	for _, n := range w.nodes {
		for addr := range n.insts {
			insts[addr] = true
		}
		w.report.Funcs = append(w.report.Funcs, Stack{n.fn.name, n.need[0], n.need[1]})
	}
	w.report.Insts = len(insts)
	slices.SortFunc(w.report.Funcs, func(a, b Stack) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(w.report.Findings, func(a, b Finding) int { return cmp.Compare(a.Where, b.Where) })
}
