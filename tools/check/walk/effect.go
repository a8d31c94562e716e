package walk

import "golang.org/x/arch/x86/x86asm"

// effect carries out what one instruction does to the stack pointer and to the
// registers of s. It returns what is wrong with it, or "".
func (im *image) effect(s *state, in *inst) string {
	a := in.x.Args
	switch in.x.Op {
	case 0: // own decoding, see gapLength
		s.forget()
	case x86asm.PUSH, x86asm.PUSHF, x86asm.PUSHFQ:
		s.depth += stackUnit(in.x)
	case x86asm.POPF, x86asm.POPFQ:
		s.depth -= stackUnit(in.x)
	case x86asm.POP:
		s.depth -= stackUnit(in.x)
		s.set(a[0], value{})
	case x86asm.LEAVE:
		s.set(x86asm.RSP, s.regs[5])
		s.depth -= 8
		s.regs[5] = value{}
	case x86asm.MOV:
		s.set(a[0], im.source(s, in))
	case x86asm.LEA:
		s.set(a[0], s.address(a[1].(x86asm.Mem), in.next()))
	case x86asm.ADD, x86asm.SUB, x86asm.AND:
		return s.arithmetic(in)
	case x86asm.CMP, x86asm.TEST, x86asm.NOP:
	case x86asm.CALL, x86asm.CPUID:
		s.forget()
	default:
		return s.other(a)
	}
	return ""
}

// stackUnit is what one push moves the stack pointer by.
func stackUnit(x x86asm.Inst) int {
	for _, p := range x.Prefix {
		if p&0xff == x86asm.PrefixDataSize {
			return 2
		}
	}
	return 8
}

// source is the value that a MOV stores.
func (im *image) source(s *state, in *inst) value {
	switch src := in.x.Args[1].(type) {
	case x86asm.Imm:
		return value{constant, int64(src)}
	case x86asm.Reg:
		return s.get(src)
	case x86asm.Mem:
		at := s.address(src, in.next())
		if at.kind == constant && full(in.x.Args[0]) {
			if n, ok := im.constant(uint64(at.n)); ok {
				return value{constant, int64(n)}
			}
		}
	}
	return value{}
}

// set writes a register; writing SP moves the depth. Loading SP from anywhere
// else changes stacks: the depth stays what it is, which bounds the use of the
// new stack from above.
func (s *state) set(a x86asm.Arg, v value) {
	r, ok := register(a)
	switch {
	case !ok:
	case r == stackRegister && v.kind == frame:
		s.depth, s.switched = int(v.n), false
	case r == stackRegister:
		s.switched = true
	case full(a):
		s.regs[r] = v
	default:
		s.regs[r] = value{}
	}
}

// arithmetic follows additions to SP and its alignment.
func (s *state) arithmetic(in *inst) string {
	a := in.x.Args
	n, immediate := a[1].(x86asm.Imm)
	if !isStack(a[0]) {
		s.set(a[0], value{})
		return ""
	}
	switch {
	case !immediate || !full(a[0]):
		return "the stack pointer changes by an amount that only the run knows"
	case in.x.Op == x86asm.SUB:
		s.depth += int(n)
	case in.x.Op == x86asm.ADD:
		s.depth -= int(n)
	default: // AND: rounds down, by up to the bits that it clears
		s.depth += int(^n)
		s.loose = true
	}
	return ""
}

// implicit are the registers that instructions write without naming them: RAX,
// RCX, RDX, RSI, RDI. CPUID alone writes RBX too.
var implicit = []int{0, 1, 2, 6, 7}

// other handles every remaining instruction: what it names or may write without
// naming is unknown afterwards.
func (s *state) other(args x86asm.Args) string {
	for _, r := range implicit {
		s.regs[r] = value{}
	}
	for _, a := range args {
		if isStack(a) {
			return "the stack pointer changes in a way that the walk does not follow"
		}
		s.set(a, value{})
	}
	return ""
}
