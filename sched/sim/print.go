package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"strings"
)

// String writes the scenario in the language that Parse reads, loops found again where
// ops repeat. What it was parsed from and what it writes run the same.
func (sc *Scenario) String() string {
	var p printer
	p.head(sc)
	p.threads(sc.Main)
	for i := range sc.Expect {
		p.linef("%s", &sc.Expect[i])
	}
	for i := range sc.Fails {
		p.linef("%s", &sc.Fails[i])
	}
	return p.b.String()
}

type printer struct {
	b       strings.Builder
	names   map[string]string // of threads, by their program
	taken   map[string]bool
	pending []pendingThread // spawned, and not yet written
}

type pendingThread struct {
	name    string
	program []Op
}

func (p *printer) linef(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

func (p *printer) head(sc *Scenario) {
	name := sc.Name
	if name == "" {
		name = "unnamed"
	}
	p.linef("%s", strings.TrimSpace("scenario "+name+" "+sc.Kind))
	p.text("title", sc.Title)
	p.text("report", sc.Report)
	p.linef("machine %s", sc.Shape)
	p.text("costs", sc.Costs)
	if sc.First != 0 {
		p.linef("start %d", sc.First)
	}
	p.mask("isolated", sc.Isolated)
	p.mask("absent", sc.Absent)
	for _, s := range sc.Slow {
		p.linef("slow %s %d", s.CPUs, s.By)
	}
	for _, l := range sc.Latency {
		p.linef("latency %s %v", l.CPUs, l.Exit)
	}
	if sc.KickLate != 0 {
		p.linef("kicks %v", sc.KickLate)
	}
	if sc.Poll != 0 {
		p.linef("poll %v", sc.Poll)
	}
	p.count("seeds", sc.Seeds)
	p.count("steps", sc.Steps)
	p.count("exhaustive", sc.Exhaustive)
}

func (p *printer) text(word, value string) {
	if value != "" {
		p.linef("%s %s", word, value)
	}
}

func (p *printer) count(word string, n int) {
	if n != 0 {
		p.linef("%s %d", word, n)
	}
}

func (p *printer) mask(word string, cpus []cpu.ID) {
	var m cpu.Mask
	for _, c := range cpus {
		m.Set(c)
	}
	if !m.IsEmpty() {
		p.linef("%s %s", word, &m)
	}
}

// threads writes main and every thread that something spawns, each once.
func (p *printer) threads(main []Op) {
	p.names, p.taken = map[string]string{}, map[string]bool{"main": true}
	p.pending = []pendingThread{{"main", main}}
	for len(p.pending) > 0 {
		t := p.pending[0]
		p.pending = p.pending[1:]
		p.linef("thread %s", t.name)
		p.program(t.program, "  ")
	}
}

// program writes ops; a run of ops that comes several times in a row becomes a loop.
func (p *printer) program(program []Op, indent string) {
	lines := make([]string, len(program))
	for i := range program {
		lines[i] = p.op(&program[i], indent)
	}
	for i := 0; i < len(lines); {
		width, times := repeats(lines[i:])
		if times > 1 {
			p.linef("%srepeat %d", indent, times)
		}
		for _, line := range lines[i : i+width] {
			extra := ""
			if times > 1 {
				extra = "  "
			}
			p.linef("%s%s", indent+extra, line)
		}
		if times > 1 {
			p.linef("%send", indent)
		}
		i += width * times
	}
}

// repeats finds how many of the first lines come how often in a row, so that most
// lines are covered; 1, 1 if there is no repetition.
func repeats(lines []string) (width, times int) {
	width, times = 1, 1
	for w := 1; w <= min(16, len(lines)/2); w++ {
		n := 1
		for (n+1)*w <= len(lines) && same(lines[:w], lines[n*w:(n+1)*w]) {
			n++
		}
		if n > 1 && (n-1)*w > (times-1)*width {
			width, times = w, n
		}
	}
	return width, times
}

func same(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// op writes one op on one line, or several for those that hold others.
func (p *printer) op(o *Op, indent string) string {
	switch o.verb {
	case opRun:
		return "run " + o.time()
	case opCritical:
		return "critical " + o.span.String()
	case opBlock:
		if o.span < 0 {
			return "block"
		}
		return "block-for " + o.time()
	case opBlockUntil:
		return "block-until " + o.span.String()
	case opWake:
		return "wake " + o.who
	case opYield:
		return "yield"
	case opSpawn:
		return p.spawn(o)
	case opSetMask:
		return strings.Join(strings.Fields("set-mask "+o.who+" "+o.mask), " ")
	case opJoin:
		return "join " + o.who
	case opExit:
		return fmt.Sprintf("exit %d", o.code)
	case opPost:
		return fmt.Sprintf("post %s %d", o.who, o.code)
	case opTake:
		return "take " + o.who
	case opClose:
		return "close " + o.who
	case opOffline:
		return "offline " + o.mask
	case opOnline:
		return "online " + o.mask
	}
	return p.together(o, indent)
}

func (o *Op) time() string {
	if o.any {
		return "any " + o.span.String()
	}
	return o.span.String()
}

func (p *printer) together(o *Op, indent string) string {
	var b strings.Builder
	b.WriteString("together\n")
	for i := range o.program {
		fmt.Fprintf(&b, "%s  %s\n", indent, p.op(&o.program[i], indent))
	}
	return b.String() + indent + "end"
}

func (p *printer) spawn(o *Op) string {
	thread := p.name(o)
	text := "spawn " + thread
	if thread != o.who {
		text += " named " + o.who
	}
	if o.mask != "" {
		text += " on " + o.mask
	}
	if o.class != process.Fair {
		text += " as " + className(o.class)
	}
	if o.weight != 0 {
		text += fmt.Sprintf(" weight %d", o.weight)
	}
	if o.process != 0 {
		text += fmt.Sprintf(" process %d", o.process)
	}
	if o.gang != 0 {
		text += fmt.Sprintf(" gang %d", o.gang)
	}
	if !o.near && o.class != process.Service && o.process == 0 {
		text += " apart"
	}
	return text
}

// name returns the thread that has the program of a spawn, a new one if there is none.
func (p *printer) name(o *Op) string {
	key := fmt.Sprint(o.program)
	if name, ok := p.names[key]; ok {
		return name
	}
	name := o.who
	for i := 2; p.taken[name]; i++ {
		name = fmt.Sprintf("%s.%d", o.who, i)
	}
	p.taken[name], p.names[key] = true, name
	p.pending = append(p.pending, pendingThread{name, o.program})
	return name
}

func className(class process.Class) string {
	for name, c := range classes {
		if c == class {
			return name
		}
	}
	return "fair"
}
