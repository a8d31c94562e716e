package walk

import (
	"encoding/binary"

	"golang.org/x/arch/x86/x86asm"
)

// unlisted finds assembly of the kernel whose address is taken: by an
// instruction, to go into LSTAR, an interrupt gate or a stack, or by a word of
// data. Whatever is entered by address is an entry, and the list must say so.
func (w *walker) unlisted() {
	targets := map[uint64]*function{}
	for _, fn := range w.im.funcs {
		if fn.assembly() && w.cfg.ours(fn) && !listed(w.cfg.entries, fn) && !w.cfg.skips(fn) {
			targets[fn.addr] = fn
		}
	}
	for _, fn := range w.im.funcs {
		if w.cfg.ours(fn) {
			w.takenByCode(fn, targets)
		}
	}
	for _, s := range w.im.segments {
		if !s.code {
			w.takenByData(s, targets)
		}
	}
}

func (w *walker) takenByCode(fn *function, targets map[uint64]*function) {
	for addr := fn.addr; addr < fn.end(); {
		_, code := w.im.at(addr)
		in, err := decode(code[:min(uint64(len(code)), fn.end()-addr)], addr)
		if err != nil {
			return // the walk reports what it cannot read in what it reaches
		}
		if in.x.Op == x86asm.LEA {
			var s state
			at := s.address(in.x.Args[1].(x86asm.Mem), in.next())
			if at.kind == constant {
				w.taken(w.im.where(addr), targets[uint64(at.n)])
			}
		}
		addr = in.next()
	}
}

func (w *walker) takenByData(s segment, targets map[uint64]*function) {
	for i := 0; i+8 <= len(s.data); i += 8 {
		if fn := targets[binary.LittleEndian.Uint64(s.data[i:])]; fn != nil {
			w.taken(fn.name, fn)
		}
	}
}

// taken reports a function whose address is known to something.
func (w *walker) taken(where string, fn *function) {
	if fn != nil {
		w.report.Findings = append(w.report.Findings, Finding{where, ruleEntry,
			"the address of " + fn.name + " is taken: list it in " + w.cfg.file + " as an entry, or skip it and say why"})
	}
}
