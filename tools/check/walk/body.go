package walk

import "fmt"

// body is what the walk learned about one function, or about the rest of one
// that is entered in the middle.
type body struct {
	fn       *function
	entry    uint64
	insts    map[uint64]inst // those that the flow reaches
	maxDepth [2]int          // most stack that the function itself uses, in bytes: of the one it has, of one it loads
	sites    []site
	faults   []fault
}

// site is a call or a jump out of the function.
type site struct {
	at     uint64
	target uint64
	depth  int // stack in use below the function's entry when the target begins
	stack  int // 0: the stack that the function has, 1: one that it loaded
}

// fault is a broken rule at one instruction.
type fault struct {
	at   uint64
	rule string
	what string
}

// stackLimitOfOne ends the search when a loop keeps pushing.
const stackLimitOfOne = 1 << 20

// flow interprets a function from entry on, over all ways through it.
type flow struct {
	*body
	im     *image
	cfg    *config
	states map[uint64]*state
	work   []uint64
}

// follow makes the body of the function at entry.
func (im *image) follow(fn *function, entry uint64, cfg *config) *body {
	f := &flow{
		body:   &body{fn: fn, entry: entry, insts: map[uint64]inst{}},
		im:     im,
		cfg:    cfg,
		states: map[uint64]*state{},
	}
	f.reach(entry, state{})
	f.drain()
	if fn.assembly() && cfg.ours(fn) {
		f.sweep()
	} else if entry == fn.addr {
		f.leftovers()
	}
	return f.body
}

// reach adds a way to an instruction.
func (f *flow) reach(addr uint64, s state) {
	f.use(s.stack(), s.depth)
	if s.depth > stackLimitOfOne {
		f.fault(addr, ruleStack, "the stack grows in a loop")
		return
	}
	old := f.states[addr]
	if old == nil {
		f.states[addr] = &s
	} else if old.switched != s.switched {
		f.fault(addr, ruleStack, "reached on two stacks: one way here has loaded another, one has not")
		return
	} else if !old.merge(&s) {
		return
	}
	f.work = append(f.work, addr)
}

// use notes how deep a stack is in use.
func (f *flow) use(stack, depth int) { f.maxDepth[stack] = max(f.maxDepth[stack], depth) }

func (f *flow) fault(at uint64, rule, what string) {
	for _, old := range f.faults {
		if old.at == at && old.rule == rule {
			return
		}
	}
	f.faults = append(f.faults, fault{at, rule, what})
}

func (f *flow) drain() {
	for len(f.work) > 0 {
		addr := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		f.step(addr, *f.states[addr])
	}
}

// step carries out one instruction and goes on to what may follow it.
func (f *flow) step(addr uint64, s state) {
	if addr < f.fn.addr || addr >= f.fn.end() {
		f.fault(f.entry, ruleFlow, "the flow runs off the end of "+f.fn.name)
		return
	}
	_, code := f.im.at(addr)
	in, err := decode(code[:min(uint64(len(code)), f.fn.end()-addr)], addr)
	if err != nil {
		f.fault(addr, ruleDecode, err.Error())
		return
	}
	f.insts[addr] = in
	switch in.kind {
	case call, jump, branch:
		f.transfer(&in, s)
		return
	case ret:
		if s.depth != 0 && !s.switched && !s.loose {
			f.fault(addr, ruleStack, fmt.Sprintf("returns with %d bytes of its frame on the stack", s.depth))
		}
		return
	case leave, stop:
		return
	case trap:
		f.fault(addr, ruleTrap, "a system call or software interrupt of kernel code enters the kernel again")
		return
	}
	if wrong := f.im.effect(&s, &in); wrong != "" {
		f.fault(addr, ruleStack, wrong)
		return
	}
	if s.switched && !f.fn.assembly() {
		f.fault(addr, ruleStack, "compiled code that changes stacks")
	}
	f.reach(in.next(), s)
}
