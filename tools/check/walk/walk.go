package walk

import (
	"fmt"
	"slices"
	"strings"
)

// Options say what to walk.
type Options struct {
	ELF     string   // as the linker left it
	Entries string   // the entry list
	Folders []string // import paths of the kernel's own assembly
}

// Finding is one broken rule.
type Finding struct {
	Where string // file:line
	Rule  string
	What  string // and the way there, from an entry
}

// Report is what the walk saw.
type Report struct {
	Findings []Finding
	Entries  []Stack // in the order of the list
	Funcs    []Stack // by name
	Insts    int     // distinct instructions
	Crashes  int     // calls that end on the crash path
}

// Stack is what a function or entry needs, with everything that it calls, at
// the worst and in bytes.
type Stack struct {
	Name   string
	Own    int // of the stack that it begins on; for an entry with what the machine pushed
	Loaded int // of the stacks that it changes to
}

// hardwareFrame is what an interrupt pushes before the first instruction of its
// entry, with an error code and an alignment of 16 bytes.
const hardwareFrame = 6*8 + 8

type walker struct {
	im     *image
	cfg    *config
	nodes  map[uint64]*node
	queue  []*node
	report Report
}

// Walk proves one image. Its error says what made the walk impossible; what is
// wrong with the kernel is in the report.
func Walk(o Options) (*Report, error) {
	cfg, err := readConfig(o.Entries)
	if err != nil {
		return nil, err
	}
	im, err := openImage(o.ELF)
	if err != nil {
		return nil, err
	}
	cfg.folders = o.Folders
	if !slices.ContainsFunc(im.funcs, cfg.ours) {
		return nil, fmt.Errorf("%s holds no code of %s: it was not built by hearth build from a main that imports hearth/kernel",
			o.ELF, strings.Join(o.Folders, ", "))
	}
	w := &walker{im: im, cfg: cfg, nodes: map[uint64]*node{}}
	roots := w.roots()
	for len(w.queue) > 0 {
		n := w.queue[0]
		w.queue = w.queue[1:]
		w.expand(n)
	}
	w.measure(roots)
	w.unlisted()
	w.halts()
	w.summarise()
	return &w.report, nil
}

// root is an entry of the list with its code; a symbol with two ABIs has two.
type root struct {
	entry
	*node
}

// roots begins the walk at every listed entry.
func (w *walker) roots() []root {
	var roots []root
	for _, e := range w.cfg.entries {
		fns := w.im.named(e.symbol)
		if len(fns) == 0 {
			w.complain(e.line, "no symbol %s in the ELF", e.symbol)
		}
		for _, fn := range fns {
			roots = append(roots, root{e, w.visit(fn, fn.addr, nil, 0)})
		}
	}
	for _, list := range [][]entry{w.cfg.halts, w.cfg.exits, w.cfg.skipped} {
		for _, e := range list {
			if len(w.im.named(e.symbol)) == 0 {
				w.complain(e.line, "no symbol %s in the ELF", e.symbol)
			}
		}
	}
	return roots
}

// complain reports a line of the entry list.
func (w *walker) complain(line int, format string, args ...any) {
	w.report.Findings = append(w.report.Findings,
		Finding{fmt.Sprintf("%s:%d", w.cfg.file, line), ruleEntry, fmt.Sprintf(format, args...)})
}
