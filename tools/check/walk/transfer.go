package walk

import "golang.org/x/arch/x86/x86asm"

// transfer handles calls, jumps and branches.
func (f *flow) transfer(in *inst, s state) {
	targets := f.targets(in, &s)
	for _, target := range targets {
		if in.kind != call && target >= f.fn.addr && target < f.fn.end() {
			f.reach(target, s)
			continue
		}
		depth := s.depth
		if in.kind == call {
			depth += 8
		}
		f.use(s.stack(), depth)
		f.sites = append(f.sites, site{in.addr, target, depth, s.stack()})
	}
	if in.kind == jump || in.kind == call && (len(targets) == 0 || f.cfg.crash(f.im.function(targets[0]))) {
		return
	}
	f.im.effect(&s, in)
	f.reach(in.next(), s)
}

// targets are the addresses that the instruction may go to.
func (f *flow) targets(in *inst, s *state) []uint64 {
	if in.target != 0 {
		return []uint64{in.target}
	}
	switch a := in.x.Args[0].(type) {
	case x86asm.Reg:
		if v := s.get(a); v.kind == constant {
			return []uint64{uint64(v.n)}
		}
	case x86asm.Mem:
		if found := f.table(in, a, s); found != nil {
			return found
		}
	}
	if in.kind == jump && f.cfg.leaves(f.fn) {
		return nil
	}
	f.fault(in.addr, ruleIndirect, "where this "+in.x.Op.String()+" goes only the run knows: a function value, an interface or a dictionary")
	return nil
}

// table resolves an operand in memory: one constant word, or for a jump the
// compiler's table of a switch, whose words all lie in the function itself and
// end where they no longer do.
func (f *flow) table(in *inst, m x86asm.Mem, s *state) []uint64 {
	index, scale := m.Index, m.Scale
	m.Index = 0
	at := s.address(m, in.next())
	if at.kind != constant {
		return nil
	}
	if index == 0 {
		if n, ok := f.im.constant(uint64(at.n)); ok {
			return []uint64{n}
		}
		return nil
	}
	var found []uint64
	for addr := uint64(at.n); in.kind == jump && scale == 8; addr += 8 {
		n, ok := f.im.constant(addr)
		if !ok || n < f.fn.addr || n >= f.fn.end() {
			break
		}
		found = append(found, n)
	}
	return found
}
