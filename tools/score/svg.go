package score

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Sizes of the picture, in pixels.
const (
	cellWide, cellHigh = 46, 20
	nameWide, headHigh = 170, 130
	margin             = 12
	tailWide           = 60 // what the last name, which is written aslant, needs besides
)

// style is for both backgrounds: what a viewer's own scheme does not set, the
// picture does. The scale of cells goes from orange over grey to blue, which the
// common forms of colour blindness keep apart; the numbers say the same.
const style = `
svg { background: #ffffff; font: 12px ui-sans-serif, system-ui, sans-serif }
text { fill: #1a1a1a } .name { text-anchor: end } .mid { text-anchor: middle } .strong { font-weight: 600 }
.note { fill: #595959 } rect { stroke: #ffffff }
.none { fill: #e8a35c } .some { fill: #e3dccf } .all { fill: #8fbfe0 } .sum { fill: #f0f0f0 }
@media (prefers-color-scheme: dark) {
svg { background: #14171a } text { fill: #f2f2f2 } .note { fill: #a8adb3 } rect { stroke: #14171a }
.none { fill: #8f4a12 } .some { fill: #4a463e } .all { fill: #1f5a85 } .sum { fill: #23282d }
}`

// SVG draws the board: a row for each scenario, a column for each policy, below them
// what each policy cost. A cell tells under the pointer what went wrong first.
func (b *Board) SVG(w io.Writer) error {
	p := &picture{}
	wide := nameWide + cellWide*len(b.Policies) + tailWide + 2*margin
	rows := b.sums()
	high := headHigh + cellHigh*(len(b.Scenarios)+len(rows)+3) + 2*margin
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d"><style>%s</style>`, wide, high, wide, high, style)
	p.add(`<title>Scenarios under policies: percent of %d runs passed</title>`, b.Seeds)
	for i, name := range b.Policies {
		p.add(`<text class="%s" transform="translate(%d %d) rotate(-55)">%s</text>`, emphasis(i), left(i)+cellWide/2, margin+headHigh-6, escape(name))
	}
	y := margin + headHigh
	for s := range b.Scenarios {
		b.row(p, s, y)
		y += cellHigh
	}
	y += cellHigh / 2
	for _, r := range rows {
		r.draw(p, y)
		y += cellHigh
	}
	p.add(`<text class="note" x="%d" y="%d">percent of %d runs passed, + is all; below the sums over all scenarios</text></svg>`, margin, y+cellHigh, b.Seeds)
	_, err := io.WriteString(w, p.String()+"\n")
	return err
}

type picture struct{ strings.Builder }

func (p *picture) add(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// left is where the column of the i-th policy begins.
func left(i int) int { return margin + nameWide + cellWide*i }

// emphasis is the class of the i-th policy's name: the first is the one judged.
func emphasis(i int) string {
	if i == 0 {
		return "strong"
	}
	return ""
}

// row draws the cells of a scenario.
func (b *Board) row(p *picture, s, y int) {
	p.add(`<text class="name" x="%d" y="%d">%s</text>`, margin+nameWide-8, y+cellHigh-6, escape(b.Scenarios[s]))
	for i := range b.Policies {
		c := b.Cell(s, i)
		class := "some"
		if c.Passed == c.Runs {
			class = "all"
		} else if c.Passed == 0 {
			class = "none"
		}
		p.box(class, i, y, percent(c), fmt.Sprintf("%s under %s: %d of %d passed. %s", c.Scenario, c.Policy, c.Passed, c.Runs, c.First))
	}
}

// box draws one cell.
func (p *picture) box(class string, column, y int, text, about string) {
	x := left(column)
	p.add(`<g><title>%s</title><rect class="%s" x="%d" y="%d" width="%d" height="%d"/><text class="mid" x="%d" y="%d">%s</text></g>`,
		escape(about), class, x, y, cellWide, cellHigh, x+cellWide/2, y+cellHigh-6, escape(text))
}

// sum is a row below the scenarios.
type sum struct {
	name  string
	about string
	texts []string // by policy
}

// sums are the rows of what the policies cost.
func (b *Board) sums() []sum {
	rows := []sum{
		{name: "passed", about: "scenarios of which every run passed"},
		{name: "unserved", about: "breaches of work-conserved"},
		{name: "split pairs", about: "threads placed outside their spawner's LLC domain"},
		{name: "stacked", about: "decisions that shared a core while an allowed one was free"},
		{name: "oracle", about: "placements that are not those of the policy's written rule, sched/sim/oracle.go"},
		{name: "p99 wait µs", about: "the median over the scenarios of each one's 99th percentile of waits, microseconds"},
		{name: "lines/decision", about: "lines of other LLC domains that a decision looks at; in brackets of a policy that leaves threads unserved"},
		{name: "kicks/decision", about: "kicks for each spawn and wake; in brackets of a policy that leaves threads unserved"},
		{name: "gap %", about: "mean of how much dearer a placement is than the best one, on up to 16 CPUs; - of models, which do not say what they compared"},
	}
	for i := range b.Totals {
		t := &b.Totals[i]
		for r, text := range []string{
			fmt.Sprint(t.Passed), short(float64(t.Unserved)), short(float64(t.SplitPairs)), short(float64(t.Stacked)), t.unlikeText(),
			short(float64(t.P99.Nanoseconds()) / 1000), t.cost("%.1f", t.Lines), t.cost("%.2f", t.Kicks), strings.TrimSuffix(t.gapText(), " %"),
		} {
			rows[r].texts = append(rows[r].texts, text)
		}
	}
	return rows
}

func (r *sum) draw(p *picture, y int) {
	p.add(`<text class="name" x="%d" y="%d">%s</text>`, margin+nameWide-8, y+cellHigh-6, escape(r.name))
	for i, text := range r.texts {
		p.box("sum", i, y, text, r.about)
	}
}

// short writes a number in five characters.
func short(n float64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1fM", n/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.0fk", n/1e3)
	case n >= 100 || n == float64(int(n)):
		return fmt.Sprintf("%.0f", n)
	case n >= 10:
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.2f", n)
}

func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}
