package sim

import (
	"fmt"
	"strings"
)

// eachOp visits the ops of a program and of what it spawns, each once, until visit
// fails.
func eachOp(program []Op, visit func(*Op) error) error {
	seen := map[*Op]bool{} // programs, which spawns of one thread share
	var walk func(program []Op) error
	walk = func(program []Op) error {
		if len(program) == 0 || seen[&program[0]] {
			return nil
		}
		seen[&program[0]] = true
		for i := range program {
			err := visit(&program[i])
			if err == nil {
				err = walk(program[i].program)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return walk(program)
}

// names returns the threads of the scenario by name: what somewhere is spawned, and main.
func (sc *Scenario) names() map[string]bool {
	all := map[string]bool{"main": true}
	eachOp(sc.Main, func(op *Op) error {
		if op.verb == opSpawn {
			all[op.who] = true
		}
		return nil
	})
	return all
}

// checkNames refuses ops and claims about threads that nothing spawns: what is misspelt
// would otherwise be found while running, or never.
func (p *parser) checkNames() error {
	names := p.sc.names()
	err := eachOp(p.sc.Main, func(op *Op) error {
		if !op.namesThread() || names[op.who] {
			return nil
		}
		p.line = int(op.line)
		return fmt.Errorf("nothing spawns a thread %s; there are %s", op.who, someOf(names))
	})
	if err != nil {
		return err
	}
	for i := range p.sc.Expect {
		e := &p.sc.Expect[i]
		if missing := e.missing(names); missing != "" {
			p.line = e.line
			return fmt.Errorf("%s: no thread has a name such as %s; there are %s", e, missing, someOf(names))
		}
	}
	return nil
}

// namesThread reports whether the op is one on another thread.
func (o *Op) namesThread() bool {
	return o.verb == opWake || o.verb == opJoin || o.verb == opSetMask && o.who != ""
}

// someOf lists names, not more than a line holds.
func someOf(names map[string]bool) string {
	const most = 20
	all := sortedKeys(names)
	if len(all) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:most], " "), len(all)-most)
	}
	return strings.Join(all, " ")
}

// missing returns a pattern or prefix of the claim that no name fits, "" if each fits one.
func (e *Expectation) missing(names map[string]bool) string {
	words := strings.Fields(e.Of)
	for i, want := range strings.Fields(metrics[e.Metric].of) {
		fits := func(string, string) bool { return true }
		switch want {
		case "threads":
			fits = matches
		case "prefix":
			fits = func(prefix, name string) bool { return strings.HasPrefix(name, prefix) }
		}
		for pattern := range strings.SplitSeq(words[i], ",") {
			if !anyFits(names, pattern, fits) {
				return pattern
			}
		}
	}
	return ""
}

func anyFits(names map[string]bool, pattern string, fits func(pattern, name string) bool) bool {
	for name := range names {
		if fits(pattern, name) {
			return true
		}
	}
	return false
}
