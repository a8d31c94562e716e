package sim

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A trace is a scenario and every choice of one run of it, as text:
//
//	trace POLICY
//	the scenario's lines
//	choices N
//	s2/5 t131 c0 …  step 2 of 5, something takes 131 ns, something rare does not happen
//	end N
//
// It replays the run even when the generator of seeds has changed. On another scheduler
// the choices stop fitting, and the replay says where.

// Record runs the scenario and returns its trace besides.
func (sc *Scenario) Record(o Options) (trace string, out *Outcome, err error) {
	top, err := sc.topology()
	if err != nil {
		return "", nil, err
	}
	by, err := o.chooser(top.Count)
	if err != nil {
		return "", nil, err
	}
	r := &recorder{by: by}
	if out, err = sc.run(&o, r); err == nil {
		err = sc.Judge(out)
	}
	if out == nil {
		return "", nil, err // it may choose on, if it hangs
	}
	return r.trace(sc, &o), out, err
}

// recorder writes down what another chooser chooses.
type recorder struct {
	by      chooser
	choices []string
}

func (r *recorder) step(m *machine, choices []choice) int {
	at := r.by.step(m, choices)
	r.choices = append(r.choices, fmt.Sprintf("s%d/%d", at, len(choices)))
	return at
}

func (r *recorder) between(low, high time.Duration) time.Duration {
	d := r.by.between(low, high)
	r.choices = append(r.choices, fmt.Sprintf("t%d", d))
	return d
}

func (r *recorder) chance(n int) bool {
	hit := r.by.chance(n)
	word := "c0"
	if hit {
		word = "c1"
	}
	r.choices = append(r.choices, word)
	return hit
}

func (r *recorder) trace(sc *Scenario, o *Options) string {
	var b strings.Builder
	name := o.Engine
	if name == "" {
		name = Hearth
	}
	fmt.Fprintf(&b, "trace %s\n%schoices %d\n", name, sc, len(r.choices))
	for i, word := range r.choices {
		b.WriteString(word)
		if i%20 == 19 || i == len(r.choices)-1 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	fmt.Fprintf(&b, "end %d\n", len(r.choices))
	return b.String()
}

// Replay runs a trace again. The error is that of the run, or one line that says why
// the trace cannot be used: name, which is the file's, and what is wrong with it.
func Replay(name string, data []byte) (*Outcome, error) {
	sc, o, r, err := parseTrace(name, string(data))
	if err != nil {
		return nil, err
	}
	out, err := sc.run(o, r)
	if out == nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if r.wrong != "" {
		return out, fmt.Errorf("%s: %s: it was recorded from another scheduler or scenario", name, r.wrong)
	}
	if len(r.left) > 0 {
		return out, fmt.Errorf("%s: the run ended %d choices early: it was recorded from another scheduler or scenario", name, len(r.left))
	}
	if err == nil {
		err = sc.Judge(out)
	}
	return out, err
}

func parseTrace(name, text string) (*Scenario, *Options, *replayer, error) {
	bad := func(format string, args ...any) (*Scenario, *Options, *replayer, error) {
		return nil, nil, nil, fmt.Errorf("%s: %s", name, fmt.Sprintf(format, args...))
	}
	head, rest, _ := strings.Cut(text, "\n")
	engine, ok := strings.CutPrefix(head, "trace ")
	if !ok {
		return bad("this is no trace: its first line is not trace POLICY; make one with a run that saves its trace")
	}
	body, tail, ok := strings.Cut(rest, "\nchoices ")
	if !ok {
		return bad("the trace is cut off: it has no line choices N")
	}
	words := strings.Fields(tail)
	n := len(words) - 3
	if n < 0 || words[n+1] != "end" || words[0] != words[n+2] || words[0] != strconv.Itoa(n) {
		return bad("the trace is cut off or damaged: it has %d choices and must end with end %s", max(len(words)-1, 0), first(words))
	}
	for i, word := range words[1 : n+1] {
		if !isChoice(word) {
			return bad("choice %d, %q, is none: want s2/5, t131, c0 or c1", i, word)
		}
	}
	sc, err := Parse(name, []byte("\n"+body+"\n")) // lines are the trace's
	if err != nil {
		return nil, nil, nil, err
	}
	return sc, &Options{Engine: engine}, &replayer{left: words[1 : n+1]}, nil
}

func first(words []string) string {
	if len(words) == 0 {
		return "N"
	}
	return words[0]
}

func isChoice(word string) bool {
	number := func(s string) bool { n, err := strconv.ParseInt(s, 10, 64); return err == nil && n >= 0 }
	switch word[0] {
	case 's':
		at, of, ok := strings.Cut(word[1:], "/")
		return ok && number(at) && number(of)
	case 't':
		return number(word[1:])
	}
	return word == "c0" || word == "c1"
}

// replayer makes the choices of a trace, and the first of each once they do not fit.
type replayer struct {
	left  []string
	taken int
	wrong string
}

// next returns the next choice if it is of that kind.
func (r *replayer) next(kind byte) (string, bool) {
	switch {
	case r.wrong != "":
	case len(r.left) == 0:
		r.wrong = fmt.Sprintf("the run goes on after its %d choices", r.taken)
	case r.left[0][0] != kind:
		r.wrong = fmt.Sprintf("choice %d is %s where the run has to choose another kind of thing", r.taken, r.left[0])
	default:
		word := r.left[0][1:]
		r.left = r.left[1:]
		r.taken++
		return word, true
	}
	return "", false
}

func (r *replayer) step(_ *machine, choices []choice) int {
	word, ok := r.next('s')
	if !ok {
		return 0
	}
	at, of, _ := strings.Cut(word, "/")
	n, _ := strconv.Atoi(at)
	if of != strconv.Itoa(len(choices)) || n >= len(choices) {
		r.wrong = fmt.Sprintf("choice %d is s%s where the run has %d steps to choose from", r.taken-1, word, len(choices))
		return 0
	}
	return n
}

func (r *replayer) between(_, high time.Duration) time.Duration {
	word, _ := r.next('t')
	n, _ := strconv.ParseInt(word, 10, 64)
	if d := time.Duration(n); d <= high {
		return d
	}
	if r.wrong == "" {
		r.wrong = fmt.Sprintf("choice %d is t%s where at most %d is possible", r.taken-1, word, high)
	}
	return 0
}

func (r *replayer) chance(int) bool {
	word, _ := r.next('c')
	return word == "1"
}
