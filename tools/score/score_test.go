package score

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"hearth/cpu"
	"hearth/sched/sim"
)

const alone = `scenario alone
machine L(2)
thread main
  spawn t ; join t
thread t
  run 10us
expect waited t <= 1ms
`

// parse reads a scenario, and fails if it cannot be.
func parse(t *testing.T, text string) *sim.Scenario {
	t.Helper()
	sc, err := sim.Parse("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// board runs two scenarios: one that passes, and the same with a claim that cannot
// hold.
func board(t *testing.T) *Board {
	t.Helper()
	never := strings.NewReplacer("alone", "alone never", "<= 1ms", "> 1h").Replace(alone)
	b, err := Run(t.Context(), Config{
		Scenarios: []*sim.Scenario{parse(t, alone), parse(t, never)},
		Policies:  []string{sim.Hearth}, Seeds: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCellsTellWhatPassed(t *testing.T) {
	b := board(t)
	if c := b.Cell(0, 0); c.Scenario != "alone" || c.Runs != 3 || c.Passed != 3 || c.First != "" || c.Decisions != 6 {
		t.Errorf("alone: %+v", c)
	}
	if c := b.Cell(1, 0); c.Scenario != "alone-never" || c.Runs != 3 || c.Passed != 0 || !strings.Contains(c.First, "expect waited t > 1h") {
		t.Errorf("never: %+v", c)
	}
	if o := b.Totals[0]; o.Policy != sim.Hearth || o.Passed != 1 || o.Of != 2 || o.Decisions != 12 {
		t.Errorf("totals: %+v", o)
	}
	if text := b.Failures(0); !strings.HasPrefix(text, "alone-never under hearth: 0 of 3 runs passed; first: seed 0: ") {
		t.Errorf("failures: %s", text)
	}
}

func TestAnUnknownPolicyIsAnError(t *testing.T) {
	_, err := Run(t.Context(), Config{Scenarios: []*sim.Scenario{parse(t, alone)}, Policies: []string{"nonsense"}, Seeds: 1})
	if err == nil || !strings.Contains(err.Error(), `alone under nonsense: unknown policy "nonsense": there are `) {
		t.Errorf("error %v", err)
	}
}

func TestAPanicOfAPolicyIsItsFailure(t *testing.T) {
	var c Cell
	if err := c.note(nil, nil, crashed{"index out of range"}); err != nil || c.Runs != 1 || c.Passed != 0 || c.First != "panic: index out of range" {
		t.Errorf("error %v, cell %+v", err, c)
	}
	if err := c.note(nil, nil, errors.New("no such machine")); err == nil {
		t.Error("a scenario that cannot be counts as a run")
	}
}

const split8 = `scenario split
machine L(1,8)
start 0
thread main
  spawn t on {4}
  spawn u on {0}
  join t ; join u
thread t
  run 10us
thread u
  run 10us
`

func TestThreadsOutsideTheirSpawnersLLCAreSplit(t *testing.T) {
	b, err := Run(t.Context(), Config{Scenarios: []*sim.Scenario{parse(t, split8)}, Policies: []string{sim.Hearth}, Seeds: 2})
	if err != nil || b.Totals[0].SplitPairs != 2 {
		t.Errorf("two runs with one split each: %+v, error %v", b.Totals, err)
	}
}

func TestOnlyAllIsAll(t *testing.T) {
	for _, of := range []struct {
		passed, runs int
		want         string
	}{{1000, 1000, "+"}, {999, 1000, "99"}, {500, 1000, "50"}, {1, 1000, "1"}, {0, 1000, "0"}} {
		if got := percent(&Cell{Runs: of.runs, Passed: of.passed}); got != of.want {
			t.Errorf("%d of %d: %q, want %q", of.passed, of.runs, got, of.want)
		}
	}
}

func TestPercentileIsOfAllValues(t *testing.T) {
	var waits []time.Duration
	for i := 100; i >= 0; i-- {
		waits = append(waits, time.Duration(i))
	}
	if got := percentile(waits, 99); got != 99 {
		t.Errorf("99th percentile of 0 to 100 is %d", got)
	}
	if percentile(nil, 99) != 0 {
		t.Error("of nothing it is something")
	}
}

func TestTextHasARowForEachScenarioAndPolicy(t *testing.T) {
	var text bytes.Buffer
	board(t).Text(&text)
	for _, line := range []string{`(?m)^ *a +hearth +1/2 `, `(?m)^ *alone +\+$`, `(?m)^ *alone-never +0$`} {
		if !regexp.MustCompile(line).Match(text.Bytes()) {
			t.Errorf("no line %s in\n%s", line, &text)
		}
	}
}

func TestJSONHoldsTheBoard(t *testing.T) {
	b := board(t)
	var text bytes.Buffer
	var read Board
	if err := b.JSON(&text); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text.Bytes(), &read); err != nil || len(read.Cells) != 2 || read.Cells[1].First != b.Cells[1].First {
		t.Errorf("error %v, read %+v", err, read)
	}
}

func TestSVGIsWellFormedAndNamesEverything(t *testing.T) {
	b := board(t)
	b.Policies[0], b.Scenarios[0] = "a<b", `x&"y`
	var text bytes.Buffer
	if err := b.SVG(&text); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	d := xml.NewDecoder(bytes.NewReader(text.Bytes()))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if data, ok := token.(xml.CharData); ok {
			said.Write(data)
		}
	}
	for _, want := range []string{"a<b", `x&"y`, "alone-never", "expect waited t > 1h", "split pairs"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("it does not say %q", want)
		}
	}
}

// The text of a cell stands out from its colour by 4.5 to 1, what the guidelines for
// accessible text ask of this size, on light and on dark backgrounds.
func TestSVGIsLegibleOnBothBackgrounds(t *testing.T) {
	fill := regexp.MustCompile(`(text|\.none|\.some|\.all|\.sum) \{ fill: (#[0-9a-f]{6})`)
	ground := regexp.MustCompile(`svg \{ background: (#[0-9a-f]{6})`)
	light, dark, _ := strings.Cut(style, "@media")
	for name, scheme := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]string{"background": ground.FindStringSubmatch(scheme)[1]}
		for _, m := range fill.FindAllStringSubmatch(scheme, -1) {
			colours[m[1]] = m[2]
		}
		if len(colours) != 6 {
			t.Fatalf("%s: colours %v", name, colours)
		}
		for what, colour := range colours {
			if ratio := contrast(colours["text"], colour); what != "text" && ratio < 4.5 {
				t.Errorf("%s: text on %s has a contrast of %.1f", name, what, ratio)
			}
		}
	}
}

// contrast is the ratio of the relative luminances of two colours.
func contrast(a, b string) float64 {
	high, low := max(luminance(a), luminance(b)), min(luminance(a), luminance(b))
	return (high + 0.05) / (low + 0.05)
}

func luminance(colour string) float64 {
	var rgb [3]int
	fmt.Sscanf(colour, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2])
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(rgb[i]) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

// A run that breaks its policy's own rule alone passes the scenario; the board counts
// the breach elsewhere and says what to do.
func TestBreachesOfItsOwnRuleHaveAColumn(t *testing.T) {
	b := board(t)
	c := b.Cell(0, 0)
	if c.Judged != 3 || c.Unlike != 0 || b.Totals[0].unlikeText() != "0" || b.Totals[0].ruleNote() != "" {
		t.Errorf("none broken: %+v", c.Counts)
	}
	c.measure(&sim.Scenario{}, &sim.Outcome{Reach: map[string]int{sim.OwnRule: 9}, Violations: map[string]int{sim.OwnRule: 4}})
	b.total()
	var text bytes.Buffer
	b.Text(&text)
	for _, line := range []string{`(?m)^ *policy +passed .* stacked +oracle `, `(?m)^ *a +hearth +1/2 .* 4 `, "oracle: 4 of 15 placements of hearth ", "sched/sim/oracle.go"} {
		if !regexp.MustCompile(line).Match(text.Bytes()) {
			t.Errorf("no line %s in\n%s", line, &text)
		}
	}
	if o := (&Counts{}); o.unlikeText() != "-" {
		t.Errorf("of a policy that nobody judges: %q", o.unlikeText())
	}
}

// The cost of a policy that serves less than it could is no merit, and marked.
func TestCostsOfAPolicyThatLeavesThreadsWaitingAreInBrackets(t *testing.T) {
	c := Counts{Decisions: 4, Kicks: 2}
	if got := c.cost("%.2f", c.Kicks); got != "0.50" {
		t.Errorf("of one that serves all: %q", got)
	}
	if c.Unserved = 1; c.cost("%.2f", c.Kicks) != "(0.50)" {
		t.Errorf("of one that does not: %q", c.cost("%.2f", c.Kicks))
	}
}

// One scenario whose threads must wait for long does not stand for all.
func TestTheWaitOfABoardIsTheMedianOfItsScenarios(t *testing.T) {
	b := &Board{Policies: []string{"p"}, Scenarios: []string{"a", "b", "c", "none"}, Cells: make([]Cell, 4)}
	for i, wait := range []time.Duration{time.Hour, time.Second, time.Millisecond} {
		b.Cells[i].waits = []time.Duration{wait}
		b.Cells[i].rank()
	}
	if b.total(); b.Totals[0].P99 != time.Second {
		t.Errorf("it is %v", b.Totals[0].P99)
	}
}

func TestTheBoardExplainsItsColumns(t *testing.T) {
	var text bytes.Buffer
	board(t).Text(&text)
	for _, column := range []string{"p99 wait", "( )", "gap"} {
		if !strings.Contains(text.String(), "\n"+column+": ") {
			t.Errorf("it does not explain %s:\n%s", column, &text)
		}
	}
}

// endless never says where a thread starts.
type endless struct{ sim.Base }

func (endless) Place(m *sim.Model, _ *sim.Thread, from cpu.ID) cpu.ID {
	for m.Load(from) >= 0 {
	}
	return from
}

// A policy that does not come back fails, and is asked once: else a board of many
// scenarios and seeds would wait for it as often.
func TestAPolicyThatDoesNotComeBackIsAskedOnce(t *testing.T) {
	sim.Register("endless", "never answers", "this test", func() sim.Policy { return endless{} })
	const patience = 200 * time.Millisecond
	c := Config{Policies: []string{"endless"}, Seeds: 50, Patience: patience}
	for range 40 {
		c.Scenarios = append(c.Scenarios, parse(t, alone))
	}
	b, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for i := range b.Cells {
		cell := &b.Cells[i]
		if cell.Runs != 1 || cell.Passed != 0 {
			t.Errorf("%+v", cell)
		}
		if strings.Contains(cell.First, "policy endless has not come back from a decision for 200ms in scenario alone") {
			asked++
		} else if cell.First != "not run: the policy did not come back in alone" {
			t.Errorf("it says %q", cell.First)
		}
	}
	if asked == 0 || asked > runtime.NumCPU() {
		t.Errorf("it was asked %d times, want once for each of %d CPUs at most", asked, runtime.NumCPU())
	}
}
