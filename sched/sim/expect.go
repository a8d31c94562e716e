package sim

import (
	"fmt"
	"hearth/cpu"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Expectation is a claim about the outcome of every run: a metric, of which threads,
// and what it must be.
type Expectation struct {
	Metric  string // a key of Metrics
	Of      string // a pattern such as w*, empty for a metric of the whole run
	Compare string // < <= == >= > in
	Value   string // a number, a time or a mask
	line    int
}

// String writes the claim as it stands in a file.
func (e *Expectation) String() string {
	return "expect " + strings.Join(strings.Fields(e.Metric+" "+e.Of+" "+e.Compare+" "+e.Value), " ")
}

// Missed is the error of a run in which an expectation does not hold.
type Missed struct {
	Expectation Expectation
	Got         string // which thread, and what it was
	Seed        uint64
}

// nothing is what came of a claim about threads that there are not.
const nothing = "there is nothing to measure it on"

// Error names the claim and what came instead.
func (m *Missed) Error() string {
	return fmt.Sprintf("seed %d: %s: %s", m.Seed, &m.Expectation, m.Got)
}

// expect reads: expect METRIC [THREADS] COMPARISON VALUE, or expect invariant NAME.
func (p *parser) expect(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want a metric: %s", strings.Join(sortedKeys(metrics), " "))
	}
	m, ok := metrics[args[0]]
	if !ok {
		return fmt.Errorf("%q: want one of %s", args[0], strings.Join(sortedKeys(metrics), " "))
	}
	e := Expectation{Metric: args[0], line: p.line}
	rest := args[1:]
	if n := len(strings.Fields(m.of)); n > 0 {
		if len(rest) < n {
			return fmt.Errorf("%s: want %s", args[0], m.of)
		}
		e.Of, rest = strings.Join(rest[:n], " "), rest[n:]
	}
	if args[0] != "invariant" {
		if len(rest) != 2 {
			return fmt.Errorf("%s: want a comparison and a value behind it", strings.Join(args, " "))
		}
		e.Compare, e.Value = rest[0], rest[1]
	} else if len(rest) != 0 {
		return fmt.Errorf("invariant: want one name")
	}
	if err := m.check(&e); err != nil {
		return err
	}
	p.sc.Expect = append(p.sc.Expect, e)
	return nil
}

// check reports what of an expectation cannot be.
func (m *metric) check(e *Expectation) error {
	err := m.checkOf(e)
	if err != nil {
		return err
	}
	switch m.kind {
	case kindName:
		if !slices.Contains(Invariants(), e.Of) {
			return fmt.Errorf("%q: want one of the invariants %s", e.Of, strings.Join(Invariants(), " "))
		}
		return nil
	case kindCPUs:
		if e.Compare != "in" {
			return fmt.Errorf("%s: want in, then a mask", e.Metric)
		}
		_, err = cpu.ParseMask(e.Value)
		return err
	case kindTime:
		var d time.Duration
		err = span(&d, []string{e.Value})
	case kindCount:
		_, err = strconv.ParseFloat(e.Value, 64)
	}
	if err == nil && !slices.Contains([]string{"<", "<=", "==", ">=", ">"}, e.Compare) {
		err = fmt.Errorf("%q: want one of < <= == >= >", e.Compare)
	}
	return err
}

// checkOf reports what of the words behind the metric's name cannot be.
func (m *metric) checkOf(e *Expectation) error {
	words := strings.Fields(e.Of)
	for i, want := range strings.Fields(m.of) {
		var err error
		switch want {
		case "mask":
			_, err = cpu.ParseMask(words[i])
		case "time":
			var d time.Duration
			err = span(&d, words[i:i+1])
		case "threads":
			if _, err = path.Match(words[i], ""); err != nil {
				err = fmt.Errorf("%q is no pattern of names", words[i])
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Judge holds the outcome of a run against the scenario's expectations, but for those
// of reach; the error is a *Missed.
func (sc *Scenario) Judge(out *Outcome) error {
	for i := range sc.Expect {
		if missed := sc.Expect[i].judge(out); missed != nil {
			return missed
		}
	}
	return nil
}

// judge returns how the claim does not hold, nil if it does.
func (e *Expectation) judge(out *Outcome) *Missed {
	m := metrics[e.Metric]
	if m.kind == kindName {
		return nil // of all runs together: Unreached
	}
	got := m.read(out, e.Of)
	if len(got) == 0 {
		return &Missed{*e, nothing, out.Seed}
	}
	for _, r := range got {
		if !m.holds(e, r.value) {
			return &Missed{*e, strings.TrimSpace(r.of + " " + m.text(r.value)), out.Seed}
		}
	}
	return nil
}

// Unreached returns the first invariant that the scenario says is put to the test and
// that no run was; "" if there is none. reach is the sum over all runs.
func (sc *Scenario) Unreached(reach map[string]int) string {
	for _, e := range sc.Expect {
		if metrics[e.Metric].kind == kindName && reach[e.Of] == 0 {
			return e.Of
		}
	}
	return ""
}

// holds compares a reading: nanoseconds, a number or a CPU.
func (m *metric) holds(e *Expectation, got float64) bool {
	want := 0.0
	switch m.kind {
	case kindCPUs:
		mask, _ := cpu.ParseMask(e.Value)
		return mask.Has(cpu.ID(got))
	case kindTime:
		d, _ := time.ParseDuration(e.Value)
		want = float64(d)
	default:
		want, _ = strconv.ParseFloat(e.Value, 64)
	}
	switch e.Compare {
	case "<":
		return got < want
	case "<=":
		return got <= want
	case "==":
		return got == want
	case ">=":
		return got >= want
	}
	return got > want
}

func (m *metric) text(got float64) string {
	switch m.kind {
	case kindCPUs:
		return fmt.Sprintf("on CPU %d", int(got))
	case kindTime:
		return time.Duration(got).String()
	}
	return strconv.FormatFloat(got, 'g', -1, 64)
}
