package sim

import (
	"fmt"
	"hearth/cpu"
	"slices"
	"strings"
)

// body is a list of statements: a thread's, or a loop's with its head.
type body struct {
	line  int
	loop  []string // the words of its head: repeat N, each I FIRST..LAST, together; none for a thread
	lines []line
}

// line is a statement of a body: an op's words, or a loop.
type line struct {
	number int
	words  []string
	inner  *body
}

func (p *parser) thread(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want: thread NAME")
	}
	if old := p.threads[args[0]]; old != nil {
		return fmt.Errorf("thread %q is already on line %d", args[0], old.line)
	}
	b := &body{line: p.line}
	p.threads[args[0]] = b
	p.open = []*body{b}
	return nil
}

// op takes a statement of a thread. Only its first word is looked at here: what
// follows may hold a loop's variable.
func (p *parser) op(words []string) error {
	_, isOp := ops[words[0]]
	isLoop := slices.Contains(loops, words[0])
	switch {
	case !isOp && !isLoop && words[0] != "end":
		return fmt.Errorf("%q: want one of %s, or outside of a thread one of %s",
			words[0], strings.Join(append(sortedKeys(ops), loops...), " "), strings.Join(sortedKeys(heads), " "))
	case len(p.open) == 0:
		return fmt.Errorf("%q belongs in a thread: begin one with thread NAME", words[0])
	case words[0] == "end" && len(p.open) == 1:
		return fmt.Errorf("end: no loop is open")
	case words[0] == "end":
		p.open = p.open[:len(p.open)-1]
		return nil
	}
	at := p.open[len(p.open)-1]
	l := line{number: p.line, words: words}
	if isLoop {
		l.inner = &body{line: p.line, loop: words}
		p.open = append(p.open, l.inner)
	}
	at.lines = append(at.lines, l)
	return nil
}

var loops = []string{"repeat", "each", "together"}

// finish compiles the threads once all are known.
func (p *parser) finish() error {
	switch {
	case p.sc.Name == "":
		return fmt.Errorf("the file is empty: the first line must be: scenario NAME")
	case p.sc.Topology == nil:
		return fmt.Errorf("scenario %s has no machine line", p.sc.Name)
	case p.threads["main"] == nil:
		return fmt.Errorf("scenario %s has no thread main", p.sc.Name)
	case len(p.open) > 1:
		return fmt.Errorf("%s is not closed: end it with end", p.open[len(p.open)-1].loop[0])
	}
	if err := p.checkStart(); err != nil {
		return err
	}
	c := &compiler{p: p, done: map[string][]Op{}}
	var err error
	p.sc.Main, err = c.thread("main", nil)
	if err == nil {
		err = c.unused()
	}
	if err == nil {
		err = p.checkNames()
	}
	if err == nil {
		err = p.checkFails()
	}
	return err
}

// checkStart refuses a first CPU that is not there.
func (p *parser) checkStart() error {
	var line string
	switch {
	case int(p.sc.First) >= p.sc.Topology.Count:
		line = fmt.Sprintf("the machine has CPUs 0 to %d", p.sc.Topology.Count-1)
	case p.sc.somewhere() == cpu.None:
		line = "no CPU is there; leave one out of absent"
	case slices.Contains(p.sc.Absent, p.sc.First):
		line = fmt.Sprintf("the CPU is absent; start on one that is there, such as start %d", p.sc.somewhere())
	default:
		return nil
	}
	if at, ok := p.given["start"]; ok {
		p.line = at
	}
	return fmt.Errorf("start %d: main cannot start there: %s", p.sc.First, line)
}
