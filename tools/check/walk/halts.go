package walk

import "fmt"

// halts checks that interrupts cannot come between the decision to halt and the
// halt: STI holds them off for one instruction, so HLT must be that one. The
// emulator cannot show the difference, so this is the only proof. A function
// that halts for good is listed, and may not let interrupts in at all.
func (w *walker) halts() {
	for _, fn := range w.im.funcs {
		if fn.assembly() && !w.cfg.skips(fn) && (w.cfg.ours(fn) || w.nodes[fn.addr] != nil) {
			w.haltsOf(fn)
		}
	}
}

func (w *walker) haltsOf(fn *function) {
	var all []inst
	targets := map[uint64]bool{}
	for addr := fn.addr; addr < fn.end(); {
		_, code := w.im.at(addr)
		in, err := decode(code[:min(uint64(len(code)), fn.end()-addr)], addr)
		if err != nil {
			w.haltFault(addr, fn, err.Error())
			return
		}
		all = append(all, in)
		if in.kind == jump || in.kind == branch {
			targets[in.target] = true
		}
		addr = in.next()
	}
	for i, in := range all {
		switch {
		case in.kind == enableInterrupts && w.cfg.stops(fn):
			w.haltFault(in.addr, fn, "is listed as halting for good, and lets interrupts in")
		case in.kind != halt || w.cfg.stops(fn):
		case i == 0 || all[i-1].kind != enableInterrupts:
			w.haltFault(in.addr, fn, "HLT that does not follow right behind STI")
		case targets[in.addr]:
			w.haltFault(in.addr, fn, "HLT that a jump reaches without the STI before it")
		}
	}
}

func (w *walker) haltFault(at uint64, fn *function, what string) {
	w.report.Findings = append(w.report.Findings, Finding{w.im.where(at), ruleHalt, fmt.Sprintf("%s: %s", fn.name, what)})
}
