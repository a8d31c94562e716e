package sim

import (
	"fmt"
	"hearth/cpu"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parse reads a scenario in the language that docs/sim.md describes. name is the
// file's, for errors: each is one line that names the file, the line, the word that
// cannot be used and what could.
func Parse(name string, data []byte) (*Scenario, error) {
	p := newParser(name, &Scenario{file: name})
	for i, text := range strings.Split(string(data), "\n") {
		for _, part := range strings.Split(uncommented(text), ";") {
			words := strings.Fields(part)
			if len(words) == 0 {
				continue
			}
			p.line = i + 1
			if err := p.statement(words); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, p.line, err)
			}
		}
	}
	if err := p.finish(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, max(p.line, 1), err)
	}
	return p.sc, nil
}

// uncommented returns a line without its comment, which begins with a # where a word
// may begin: one within a word, as in the number of a report, is part of it.
func uncommented(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || strings.ContainsRune(" \t;", rune(line[i-1]))) {
			return line[:i]
		}
	}
	return line
}

// parser reads line by line: the head of the scenario, then threads with their ops.
type parser struct {
	file    string
	line    int
	sc      *Scenario
	threads map[string]*body
	open    []*body        // the thread that is read, and the loops around its next op
	given   map[string]int // the lines of the heads that may be given once
}

func newParser(file string, sc *Scenario) *parser {
	return &parser{file: file, sc: sc, threads: map[string]*body{}, given: map[string]int{}}
}

// statement takes one line of the file, or a part of it between semicolons.
func (p *parser) statement(words []string) error {
	if p.sc.Name == "" && words[0] != "scenario" {
		return fmt.Errorf("%q: the first line must be: scenario NAME", words[0])
	}
	take := heads[words[0]]
	if take == nil {
		return p.op(words)
	}
	if len(p.open) > 1 {
		return fmt.Errorf("%q inside of a loop: end it with end", words[0])
	}
	if words[0] != "thread" {
		p.open = nil
	}
	if err := p.once(words[0]); err != nil {
		return err
	}
	return take(p, words[1:])
}

// often are the heads of which a file may have several.
var often = []string{"thread", "expect", "fails", "isolated", "absent", "slow", "latency"}

// once refuses a second line of a head that says one thing, whose first would count for
// nothing.
func (p *parser) once(head string) error {
	if slices.Contains(often, head) {
		return nil
	}
	if line, again := p.given[head]; again {
		return fmt.Errorf("%s is already given on line %d; leave one of the two", head, line)
	}
	p.given[head] = p.line
	return nil
}

// heads are the words that begin a statement outside of a thread. It is filled below
// because thread refers to it.
var heads map[string]func(p *parser, args []string) error

func init() {
	heads = map[string]func(p *parser, args []string) error{
		"scenario": (*parser).scenario,
		"title":    func(p *parser, args []string) error { return words(&p.sc.Title, args) },
		"report":   func(p *parser, args []string) error { return words(&p.sc.Report, args) },
		"machine":  (*parser).machine,
		"costs":    (*parser).costs,
		"start":    (*parser).start,
		"isolated": func(p *parser, args []string) error { return p.cpus(&p.sc.Isolated, args) },
		"absent":   func(p *parser, args []string) error { return p.cpus(&p.sc.Absent, args) },
		"slow":     (*parser).slow,
		"latency":  (*parser).latency,
		"kicks":    func(p *parser, args []string) error { return span(&p.sc.KickLate, args) },
		"poll":     (*parser).poll,
		"seeds":    func(p *parser, args []string) error { return number(&p.sc.Seeds, 1, 1_000_000_000, args) },
		"steps":    func(p *parser, args []string) error { return number(&p.sc.Steps, 1, 1_000_000_000, args) },
		"exhaustive": func(p *parser, args []string) error {
			return number(&p.sc.Exhaustive, 1, 64, args)
		},
		"thread": (*parser).thread,
		"expect": (*parser).expect,
		"fails":  (*parser).fails,
	}
}

func (p *parser) scenario(args []string) error {
	if len(args) == 0 || p.sc.Name != "" {
		return fmt.Errorf("want one line: scenario NAME [what of it]")
	}
	p.sc.Name = args[0]
	p.sc.Kind = strings.Join(args[1:], " ")
	return nil
}

func (p *parser) machine(args []string) error {
	if len(args) == 1 && isTopology(args[0]) {
		return p.collected(args[0])
	}
	p.sc.Shape = strings.Join(args, " ")
	if !strings.HasPrefix(p.sc.Shape, "L(") && !strings.HasPrefix(p.sc.Shape, "cores ") {
		return fmt.Errorf("machine %q: want LLC domains such as L(6,6)s2, the CPUs of each core such as cores {0,1} {2} | {3}, or one of %s",
			p.sc.Shape, strings.Join(topologyNames(), " "))
	}
	top, err := Machine(p.sc.Shape)
	p.sc.Topology = top
	return err
}

func (p *parser) start(args []string) error {
	first := 0
	if err := number(&first, 0, cpu.Max-1, args); err != nil {
		return err
	}
	p.sc.First = cpu.ID(first)
	return nil
}

// cpus reads a mask of CPUs of the machine into a list.
func (p *parser) cpus(to *[]cpu.ID, args []string) error {
	mask, err := p.mask(args, 1)
	if err != nil {
		return err
	}
	for c := mask.First(); c != cpu.None; c = mask.Next(c) {
		*to = append(*to, c)
	}
	return nil
}

// mask reads the first of want words as a mask of CPUs that the machine has.
func (p *parser) mask(args []string, want int) (cpu.Mask, error) {
	if len(args) != want {
		return cpu.Mask{}, fmt.Errorf("%d words, want %d, the first a mask such as {0-3,8}", len(args), want)
	}
	mask, err := cpu.ParseMask(args[0])
	if err != nil {
		return mask, err
	}
	if p.sc.Topology == nil {
		return mask, fmt.Errorf("%s comes before the machine line", args[0])
	}
	for c := mask.First(); c != cpu.None; c = mask.Next(c) {
		if int(c) >= p.sc.Topology.Count {
			return mask, fmt.Errorf("%s: the machine has CPUs 0 to %d", args[0], p.sc.Topology.Count-1)
		}
	}
	return mask, nil
}

func (p *parser) slow(args []string) error {
	if _, err := p.mask(args, 2); err != nil {
		return err
	}
	by := 0
	err := number(&by, 0, 65535, args[1:])
	p.sc.Slow = append(p.sc.Slow, Slowness{args[0], uint16(by)})
	return err
}

func (p *parser) latency(args []string) error {
	if _, err := p.mask(args, 2); err != nil {
		return err
	}
	var exit time.Duration
	err := span(&exit, args[1:])
	p.sc.Latency = append(p.sc.Latency, Latency{args[0], exit})
	return err
}

// mostPoll is the longest budget of polling: a thousand times what an exit from a halt
// costs. Who polls takes a step of the simulator every few hundred nanoseconds.
const mostPoll = time.Millisecond

func (p *parser) poll(args []string) error {
	if err := span(&p.sc.Poll, args); err != nil {
		return err
	}
	if p.sc.Poll > mostPoll {
		return fmt.Errorf("%v is too long to poll: want at most %v", p.sc.Poll, mostPoll)
	}
	return nil
}

func words(to *string, args []string) error {
	*to = strings.Join(args, " ")
	return nil
}

// number reads one number from low to high.
func number(to *int, low, high int, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d words, want one number from %d to %d", len(args), low, high)
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < low || n > high {
		return fmt.Errorf("%q: want a number from %d to %d", args[0], low, high)
	}
	*to = n
	return nil
}

// longest is the longest time of a scenario.
const longest = 1000 * time.Hour

// span reads one time, such as 2us.
func span(to *time.Duration, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d words, want one time such as 2us", len(args))
	}
	d, err := time.ParseDuration(args[0])
	if err != nil || d < 0 || d > longest {
		return fmt.Errorf("%q: want a time such as 2us, at most %v", args[0], longest)
	}
	*to = d
	return nil
}
