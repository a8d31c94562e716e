package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"slices"
	"sort"
	"strings"
	"time"
)

// compiler turns the statements of threads into ops: loops are unrolled, variables
// replaced, spawns given the program of their thread.
type compiler struct {
	p      *parser
	ops    int             // made so far
	inside []string        // the threads whose spawns led here
	done   map[string][]Op // by thread and what its variables stand for
}

// maxOps bounds what the loops of a scenario may unroll to.
const maxOps = 500_000

// thread returns the program of the thread of that name, with the variables of whoever
// spawns it.
func (c *compiler) thread(name string, vars scope) ([]Op, error) {
	b := c.p.threads[name]
	if b == nil {
		return nil, fmt.Errorf("there is no thread %q; there are %s", name, strings.Join(sortedKeys(c.p.threads), " "))
	}
	key := name + " " + vars.String()
	if !c.usesVars(b) {
		key = name
	}
	if program, ok := c.done[key]; ok {
		return program, nil
	}
	if c.spawnsAgain(name) {
		return nil, fmt.Errorf("thread %s spawns itself; spawn it from another thread", name)
	}
	c.inside = append(c.inside, name)
	program, err := c.body(b, vars)
	c.inside = c.inside[:len(c.inside)-1]
	c.done[key] = program
	return program, err
}

// usesVars reports whether a variable stands in a body or in a thread that it spawns.
func (c *compiler) usesVars(b *body) bool {
	for _, l := range b.lines {
		if strings.Contains(strings.Join(l.words, " "), "$") || l.inner != nil && c.usesVars(l.inner) {
			return true
		}
		if l.words[0] == "spawn" && len(l.words) > 1 && !c.spawnsAgain(l.words[1]) && c.p.threads[l.words[1]] != nil {
			c.inside = append(c.inside, l.words[1])
			uses := c.usesVars(c.p.threads[l.words[1]])
			c.inside = c.inside[:len(c.inside)-1]
			if uses {
				return true
			}
		}
	}
	return false
}

// spawnsAgain reports whether the compiler is inside of that thread already.
func (c *compiler) spawnsAgain(name string) bool { return slices.Contains(c.inside, name) }

func (c *compiler) body(b *body, vars scope) (program []Op, err error) {
	for _, l := range b.lines {
		c.p.line = l.number
		var more []Op
		if l.inner != nil {
			more, err = c.loop(l.inner, vars)
		} else {
			more, err = c.op(l.words, vars)
		}
		if err != nil {
			return nil, err
		}
		for i := range more {
			if more[i].line == 0 {
				more[i].line = int32(l.number)
			}
		}
		program = append(program, more...)
		if c.ops += len(more); c.ops > maxOps {
			return nil, fmt.Errorf("the loops unroll to more than %d ops", maxOps)
		}
	}
	return program, nil
}

func (c *compiler) loop(b *body, vars scope) ([]Op, error) {
	head, err := vars.replace(b.loop)
	if err != nil {
		return nil, err
	}
	switch head[0] {
	case "repeat":
		n := 0
		if err := number(&n, 0, maxOps, head[1:]); err != nil {
			return nil, err
		}
		program, err := c.body(b, vars)
		if c.ops += (n - 1) * len(program); c.ops > maxOps {
			return nil, fmt.Errorf("repeat %d: the loops unroll to more than %d ops", n, maxOps)
		}
		return Repeat(n, program...), err
	case "together":
		program, err := c.body(b, vars)
		for _, op := range program {
			if err == nil && op.verb != opWake && op.verb != opSetMask {
				err = fmt.Errorf("together: only wake and set-mask can share a kernel entry")
			}
		}
		return []Op{Together(program...)}, err
	}
	return c.eachLoop(b, head, vars)
}

// eachLoop unrolls: each NAME FIRST..LAST.
func (c *compiler) eachLoop(b *body, head []string, vars scope) ([]Op, error) {
	if len(head) != 3 {
		return nil, fmt.Errorf("want: each NAME FIRST..LAST")
	}
	from, to, ok := strings.Cut(head[2], "..")
	first, last := 0, 0
	if err := number(&first, 0, maxOps, []string{from}); err != nil || !ok {
		return nil, fmt.Errorf("%q: want FIRST..LAST such as 0..15", head[2])
	}
	if err := number(&last, first, maxOps, []string{to}); err != nil {
		return nil, err
	}
	var all []Op
	for i := first; i <= last; i++ {
		program, err := c.body(b, append(vars[:len(vars):len(vars)], variable{head[1], i}))
		if err != nil {
			return nil, err
		}
		all = append(all, program...)
	}
	return all, nil
}

// unused finds a thread that nothing spawns: a misspelt name otherwise passes.
func (c *compiler) unused() error {
	for _, name := range sortedKeys(c.p.threads) {
		found := false
		for key := range c.done {
			found = found || strings.Fields(key)[0] == name
		}
		if !found {
			c.p.line = c.p.threads[name].line
			return fmt.Errorf("nothing spawns thread %s", name)
		}
	}
	return nil
}

// ops are the words that begin an op, with what makes it of the words that follow.
var ops map[string]func(c *compiler, args []string, vars scope) ([]Op, error)

func init() {
	ops = map[string]func(c *compiler, args []string, vars scope) ([]Op, error){
		"run":         drawn(Run),
		"critical":    timed(Critical),
		"block":       bare(Block),
		"block-for":   drawn(BlockFor),
		"block-until": timed(BlockUntil),
		"wake":        named(Wake),
		"yield":       bare(Yield),
		"spawn":       (*compiler).spawn,
		"set-mask":    (*compiler).setMask,
		"move-self":   masked(MoveSelf),
		"join":        named(Join),
		"exit":        (*compiler).exit,
		"post":        (*compiler).post,
		"take":        named(Take),
		"close":       named(Close),
		"offline":     masked(func(m string) []Op { return []Op{Offline(m)} }),
		"online":      masked(func(m string) []Op { return []Op{Online(m)} }),
	}
}

func (c *compiler) op(words []string, vars scope) ([]Op, error) {
	replaced, err := vars.replace(words)
	if err != nil {
		return nil, err
	}
	made, err := ops[replaced[0]](c, replaced[1:], vars)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", replaced[0], err)
	}
	return made, nil
}

func timed(make func(time.Duration) Op) func(*compiler, []string, scope) ([]Op, error) {
	return func(_ *compiler, args []string, _ scope) ([]Op, error) {
		var d time.Duration
		err := span(&d, args)
		return []Op{make(d)}, err
	}
}

// drawn is timed for an op whose time the run may draw: any 3us is from 0 to 3 us.
func drawn(make func(time.Duration) Op) func(*compiler, []string, scope) ([]Op, error) {
	return func(c *compiler, args []string, vars scope) ([]Op, error) {
		if len(args) == 0 || args[0] != "any" {
			return timed(make)(c, args, vars)
		}
		made, err := timed(make)(c, args[1:], vars)
		made[0] = made[0].Any()
		return made, err
	}
}

func named(make func(string) Op) func(*compiler, []string, scope) ([]Op, error) {
	return func(_ *compiler, args []string, _ scope) ([]Op, error) {
		if len(args) != 1 {
			return nil, fmt.Errorf("want one name")
		}
		return []Op{make(args[0])}, nil
	}
}

func bare(make func() Op) func(*compiler, []string, scope) ([]Op, error) {
	return func(_ *compiler, args []string, _ scope) ([]Op, error) {
		if len(args) != 0 {
			return nil, fmt.Errorf("%q: want nothing behind it", args[0])
		}
		return []Op{make()}, nil
	}
}

func masked(make func(string) []Op) func(*compiler, []string, scope) ([]Op, error) {
	return func(c *compiler, args []string, _ scope) ([]Op, error) {
		mask, err := c.mask(args, 1)
		return make(mask), err
	}
}

// mask reads the first of want words as a mask, of which the machine has a CPU, and
// returns it in its usual form.
func (c *compiler) mask(args []string, want int) (string, error) {
	if len(args) != want {
		return "", fmt.Errorf("%d words, want %d, the first a mask such as {0-3,8}", len(args), want)
	}
	mask, err := cpu.ParseMask(args[0])
	if err == nil && (mask.IsEmpty() || int(mask.First()) >= c.p.sc.Topology.Count) {
		err = fmt.Errorf("%s: the machine has CPUs 0 to %d", args[0], c.p.sc.Topology.Count-1)
	}
	return mask.String(), err
}

func (c *compiler) setMask(args []string, _ scope) ([]Op, error) {
	who := ""
	if len(args) == 2 {
		who, args = args[0], args[1:]
	}
	mask, err := c.mask(args, 1)
	return []Op{SetMask(who, mask)}, err
}

func (c *compiler) exit(args []string, _ scope) ([]Op, error) {
	code := 0
	if len(args) == 0 {
		return []Op{Exit(0)}, nil
	}
	err := number(&code, -1<<31, 1<<31-1, args)
	return []Op{Exit(int32(code))}, err
}

// post reads: post POOL [ITEMS].
func (c *compiler) post(args []string, _ scope) ([]Op, error) {
	n := 1
	if len(args) == 2 {
		if err := number(&n, 1, 4096, args[1:]); err != nil {
			return nil, err
		}
		args = args[:1]
	}
	if len(args) != 1 {
		return nil, fmt.Errorf("want the name of a pool, and how many items if not one")
	}
	return []Op{Post(args[0], int32(n))}, nil
}

var classes = map[string]process.Class{
	"real-time": process.RealTime, "fair": process.Fair, "background": process.Background, "service": process.Service,
}

// spawn reads: spawn THREAD [named NAME] [on MASK] [as CLASS] [weight N] [process N] [gang N] [apart|near].
func (c *compiler) spawn(args []string, vars scope) ([]Op, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("want the name of a thread")
	}
	op := Spawn(args[0])
	at := c.p.line
	program, err := c.thread(args[0], vars)
	if err != nil {
		return nil, err
	}
	c.p.line = at
	op.program = program
	apart := false
	for rest := args[1:]; len(rest) > 0; {
		switch {
		case rest[0] == "apart" || rest[0] == "near":
			apart, rest = rest[0] == "apart", rest[1:]
		case len(rest) == 1:
			return nil, fmt.Errorf("%q: want a word behind it, or no such option", rest[0])
		default:
			if err := c.option(&op, rest[0], rest[1]); err != nil {
				return nil, err
			}
			rest = rest[2:]
		}
	}
	if apart {
		op = op.Apart()
	}
	return []Op{op.As(op.class)}, nil
}

// option sets one option of a spawn that has a value.
func (c *compiler) option(op *Op, word, value string) error {
	n := 0
	switch word {
	case "named":
		op.who = value
	case "on":
		mask, err := c.mask([]string{value}, 1)
		op.mask = mask
		return err
	case "as":
		class, ok := classes[value]
		if !ok {
			return fmt.Errorf("as %s: want one of %s", value, strings.Join(sortedKeys(classes), " "))
		}
		op.class = class
	case "weight":
		err := number(&n, 1, process.MaxWeight, []string{value})
		op.weight = int32(n)
		return err
	case "process":
		err := number(&n, 1, process.MaxProcesses, []string{value})
		*op = op.In(process.ID(n))
		return err
	case "gang":
		err := number(&n, 1, process.MaxThreads, []string{value})
		op.gang = int32(n)
		return err
	default:
		return fmt.Errorf("%q: want one of named on as weight process gang apart near", word)
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
