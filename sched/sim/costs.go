package sim

import (
	"fmt"
	"hearth/sched"
	"strings"
	"time"
)

// costs is what things take on a machine. Every step lasts from half to twice of what
// it costs, by choice.
type costs struct {
	lineNear, lineFar time.Duration // a cache line that another CPU wrote, of the same LLC domain or another
	kickNear, kickFar time.Duration // from the decision to the first instruction of the handler, at least
	entry             time.Duration // into the kernel and through a call's own work
	settle            time.Duration // from a pass that found nothing to the halt
	change            time.Duration // another context's registers and working set
	idleExit          time.Duration // out of a halt, unless the scenario says otherwise
}

// presets are the machines that a scenario may be charged for. Lines: 17–25 ns within
// an LLC domain and 80–110 ns across on AMD, as measured for the placement rules; one
// domain has no far lines, its figure stands for another package. Deep idle states
// take 170–400 µs there; a scenario asks for them by latency. Kicks, entries and
// changes of context are round figures of the order that such machines show; under a
// hypervisor each kick and halt is an exit to it, of a microsecond or more.
var presets = map[string]*costs{
	"amd-2llc":     {20, 95, 600, 900, 150, 100, 300, 1000},
	"amd-8llc":     {20, 110, 600, 1100, 150, 100, 300, 1000},
	"desktop-1llc": {25, 80, 600, 800, 150, 100, 300, 1000},
	"hybrid":       {25, 60, 700, 900, 200, 100, 400, 2000},
	"vm":           {25, 110, 1500, 1800, 200, 150, 400, 2000},
	"free":         {},
}

const defaultCosts = "amd-2llc"

func (sc *Scenario) charged() *costs {
	if c := presets[sc.Costs]; c != nil {
		return c
	}
	return presets[defaultCosts]
}

func (c *costs) kick(far bool) time.Duration {
	if far {
		return c.kickFar
	}
	return c.kickNear
}

// costs reads the name of a preset.
func (p *parser) costs(args []string) error {
	if len(args) != 1 || presets[args[0]] == nil {
		return fmt.Errorf("%q: want one of %s", strings.Join(args, " "), strings.Join(sortedKeys(presets), " "))
	}
	p.sc.Costs = args[0]
	return nil
}

// lasting chooses how long something takes that costs so much.
func (m *machine) lasting(cost time.Duration) time.Duration {
	return m.chooser.between(cost/2, 2*cost)
}

// linesAPost is what a post touches of the other CPU: its two lines, and the context's.
const linesAPost = 3

// lines charges v's entry for the lines of other CPUs that its latest events touched.
func (m *machine) lines(v *virtual) time.Duration {
	sum := time.Duration(0)
	for ; v.charged < v.act.N; v.charged++ {
		e := &v.act.Events[v.charged]
		if e.To == e.From || e.Kind != sched.EventWake && e.Kind != sched.EventMigrate {
			continue
		}
		m.out.Lines += linesAPost
		if m.far(e.From, e.To) {
			sum += linesAPost * m.costs.lineFar
			m.out.FarLines += linesAPost
		} else {
			sum += linesAPost * m.costs.lineNear
		}
	}
	return sum
}
