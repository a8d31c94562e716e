package sim

import (
	"fmt"
	"slices"
	"strings"
)

// Failing is a policy that was reported to fail a scenario: its control.
type Failing struct {
	Policy string   // its name
	By     []string // invariants, and metrics of the scenario's claims, all of which one run breaks; empty: any
	Line   int      // of the file that it stands on
}

// String writes it as it stands in a file.
func (f *Failing) String() string {
	if len(f.By) == 0 {
		return "fails " + f.Policy
	}
	return fmt.Sprintf("fails %s by %s", f.Policy, strings.Join(f.By, " "))
}

// Shows reports whether a run of the policy fails the way it was reported to, by its
// outcome and error. Only a run with Options.Keep shows all that breaks in it.
func (f *Failing) Shows(sc *Scenario, out *Outcome, err error) bool {
	if len(f.By) == 0 {
		return brokenBy(err) != ""
	}
	return !slices.ContainsFunc(f.By, func(by string) bool { return !sc.breaks(by, out, err) })
}

// breaks reports whether a run broke an invariant, or a claim by a metric of threads that
// there were.
func (sc *Scenario) breaks(by string, out *Outcome, err error) bool {
	if v, ok := err.(*Violation); ok {
		return v.Invariant == by // what else there would have been is not known
	}
	if out == nil {
		return false
	}
	for i := range sc.Expect {
		e := &sc.Expect[i]
		if missed := e.judge(out); e.Metric == by && missed != nil && missed.Got != nothing {
			return true
		}
	}
	return out.Violations[by] > 0
}

// fails reads: fails POLICY ... [by NAME ...].
func (p *parser) fails(args []string) error {
	policies, by := args, []string(nil)
	at := slices.Index(args, "by")
	if at >= 0 {
		policies, by = args[:at], args[at+1:]
	}
	if len(policies) == 0 || at >= 0 && len(by) == 0 {
		return fmt.Errorf("want: fails POLICY ... by NAME ..., where a NAME is an invariant, or a metric of one of the claims")
	}
	for _, name := range policies {
		for _, f := range p.sc.Fails {
			if f.Policy == name {
				return fmt.Errorf("%s is already reported to fail on line %d; name all of what it fails by there", name, f.Line)
			}
		}
		p.sc.Fails = append(p.sc.Fails, Failing{name, by, p.line})
	}
	return nil
}

// checkFails refuses a fails line by what the scenario does not claim: no run would
// show it.
func (p *parser) checkFails() error {
	can := Invariants()
	for i := range p.sc.Expect {
		if m := p.sc.Expect[i].Metric; m != "invariant" && !slices.Contains(can, m) {
			can = append(can, m)
		}
	}
	for i := range p.sc.Fails {
		f := &p.sc.Fails[i]
		for _, by := range f.By {
			if !slices.Contains(can, by) {
				p.line = f.Line
				return fmt.Errorf("%s: %q is no invariant and no metric of a claim here: want one of %s", f, by, strings.Join(can, " "))
			}
		}
	}
	return nil
}
