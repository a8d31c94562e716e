package score

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Text writes the board as tables: what the policies cost, with a letter for each,
// then the scenarios under those letters.
func (b *Board) Text(w io.Writer) {
	b.textTotals(w)
	for i := range b.Totals {
		io.WriteString(w, b.Totals[i].ruleNote())
	}
	io.WriteString(w, legend)
	fmt.Fprintf(w, "\nof %d runs each, how many percent passed; + is all\n", b.Seeds)
	b.textCells(w)
}

// legend says what the columns hide.
const legend = `
p99 wait: the median over the scenarios of each one's 99th percentile.
( ): the cost of a policy that left threads waiting beside idle CPUs, unserved: looking nowhere is cheap.
gap: to the best CPU, on up to 16 CPUs; -: models do not say which CPUs they compared.
`

// cost is a count a decision, in brackets if it bought too little.
func (c *Counts) cost(format string, n int) string {
	text := fmt.Sprintf(format, c.PerDecision(n))
	if c.Unserved > 0 {
		return "(" + text + ")"
	}
	return text
}

func (b *Board) textTotals(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tpolicy\tpassed\tunserved\tsplit\tstacked\toracle\tp99 wait\tlines/decision\tkicks/decision\tgap\t")
	for i := range b.Totals {
		o := &b.Totals[i]
		fmt.Fprintf(t, "%s\t%s\t%d/%d\t%d\t%d\t%d\t%s\t%v\t%s\t%s\t%s\t\n", letter(i), o.Policy, o.Passed, o.Of,
			o.Unserved, o.SplitPairs, o.Stacked, o.unlikeText(), o.P99, o.cost("%.1f", o.Lines), o.cost("%.2f", o.Kicks), o.gapText())
	}
	t.Flush()
}

// unlikeText counts the placements that broke the policy's own rule, - where the oracle,
// which knows Hearth's, judged none.
func (c *Counts) unlikeText() string {
	if c.Judged == 0 {
		return "-"
	}
	return fmt.Sprint(c.Unlike)
}

// ruleNote tells whoever changed a rule what the column oracle says, empty if there is
// nothing to say.
func (t *Total) ruleNote() string {
	if t.Unlike == 0 {
		return ""
	}
	return fmt.Sprintf(`
oracle: %d of %d placements of %s are not those of its rule as written for the judge.
  What passes above is judged by what the policy does now. If a change of sched/key.go is
  meant, make it in sched/search.go, which finds the same CPU without reading all, and in
  sched/sim/oracle.go, the judge; until the three agree, go test ./sched/... fails.
`, t.Unlike, t.Judged, t.Policy)
}

// gapText is the mean gap in percent, - where nothing was compared: models do not say
// which CPUs they compared, and on large machines nobody looks at every CPU.
func (c *Counts) gapText() string {
	if c.Gaps == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f %%", 100*c.Gap())
}

func (b *Board) textCells(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "scenario\t")
	for p := range b.Policies {
		fmt.Fprintf(t, "%s\t", letter(p))
	}
	for s, name := range b.Scenarios {
		fmt.Fprintf(t, "\n%s\t", name)
		for p := range b.Policies {
			fmt.Fprintf(t, "%s\t", percent(b.Cell(s, p)))
		}
	}
	fmt.Fprintln(t)
	t.Flush()
}

// percent is the share of a cell in three characters; only all is all, and only
// none is 0.
func percent(c *Cell) string {
	switch share := 100 * c.Share(); {
	case c.Passed == c.Runs:
		return "+"
	case c.Passed == 0:
		return "0"
	default:
		return fmt.Sprintf("%.0f", min(max(share, 1), 99))
	}
}

// letter names the i-th policy: a, b, … z, A, …
func letter(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return fmt.Sprint(i + 1)
}

// JSON writes everything that the board holds.
func (b *Board) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(b)
}

// Failures lists the cells of a policy that did not pass, each with what went
// wrong first.
func (b *Board) Failures(policy int) string {
	var text strings.Builder
	for s, name := range b.Scenarios {
		if c := b.Cell(s, policy); c.Passed < c.Runs {
			fmt.Fprintf(&text, "%s under %s: %d of %d runs passed; first: %s\n", name, c.Policy, c.Passed, c.Runs, c.First)
		}
	}
	return text.String()
}
