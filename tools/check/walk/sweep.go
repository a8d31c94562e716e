package walk

// sweep follows the code of an assembly function that its start does not reach:
// what is entered by an address in the middle, what stands behind a far return.
// Such code starts with all the stack in use that the function ever uses.
func (f *flow) sweep() {
	for addr := f.fn.addr; addr < f.fn.end(); {
		in, seen := f.insts[addr]
		if !seen {
			_, code := f.im.at(addr)
			next, err := decode(code[:min(uint64(len(code)), f.fn.end()-addr)], addr)
			if err != nil {
				f.fault(addr, ruleDecode, err.Error())
				return
			}
			if in = next; !in.padding() {
				f.reach(addr, state{depth: max(f.maxDepth[0], f.maxDepth[1]), loose: true})
				f.drain()
			}
		}
		addr = in.next()
	}
}

// leftovers looks at the calls of a compiled function that its flow does not
// reach. The only ones that the compiler makes are of code that runs after a
// panic, deferreturn above all: a defer need not show in the flow otherwise.
func (f *flow) leftovers() {
	for addr := f.fn.addr; addr < f.fn.end(); {
		_, code := f.im.at(addr)
		in, err := decode(code[:min(uint64(len(code)), f.fn.end()-addr)], addr)
		if err != nil {
			return // not code: the compiler puts nothing after the last instruction
		}
		if _, seen := f.insts[addr]; !seen && in.kind == call && in.target != 0 {
			if rule, why := f.cfg.denied(f.im.function(in.target)); rule == ruleDefer {
				f.fault(addr, rule, why)
			}
		}
		addr = in.next()
	}
}
