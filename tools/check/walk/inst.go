package walk

import (
	"fmt"

	"golang.org/x/arch/x86/x86asm"
)

// kind sorts instructions by what they do to the flow of control.
type kind int

const (
	plain  kind = iota // goes on to the next instruction
	call               // calls target, or what its operand holds
	jump               // goes to target, or to where its operand says
	branch             // goes to target or to the next instruction
	ret                // returns to the caller
	leave              // IRET, SYSRET, far return: leaves the kernel's control
	stop               // INT3, UD2: padding, or a trap that is not survived
	trap               // SYSCALL, SYSENTER, INT n: enters a kernel
	enableInterrupts
	halt
)

// inst is one decoded instruction.
type inst struct {
	x      x86asm.Inst // Op is 0 if this package decoded it: it writes no stack pointer
	addr   uint64
	kind   kind
	target uint64 // of a direct call, jump or branch; 0 of an indirect one
}

// next is the address of the instruction that follows.
func (i *inst) next() uint64 { return i.addr + uint64(i.x.Len) }

// decode reads the instruction at addr.
func decode(code []byte, addr uint64) (inst, error) {
	if n := vectorLength(code); n > 0 {
		return inst{x: x86asm.Inst{Len: n, Mode: 64}, addr: addr}, nil
	}
	x, err := x86asm.Decode(code, 64)
	if err != nil || x.Len == 1 && legacyPrefix(code[0]) { // a prefix of what it does not know
		n := gapLength(code)
		if n == 0 {
			return inst{}, fmt.Errorf("cannot read the instruction % x", code[:min(len(code), 8)])
		}
		x = x86asm.Inst{Len: n, Mode: 64}
	}
	in := inst{x: x, addr: addr, kind: kindOf(x)}
	if rel, ok := x.Args[0].(x86asm.Rel); ok {
		in.target = in.next() + uint64(int64(rel))
	}
	return in, nil
}

func kindOf(x x86asm.Inst) kind {
	switch x.Op {
	case x86asm.CALL, x86asm.LCALL:
		return call
	case x86asm.JMP, x86asm.LJMP:
		return jump
	case x86asm.JA, x86asm.JAE, x86asm.JB, x86asm.JBE, x86asm.JCXZ, x86asm.JE, x86asm.JECXZ, x86asm.JG, x86asm.JGE,
		x86asm.JL, x86asm.JLE, x86asm.JNE, x86asm.JNO, x86asm.JNP, x86asm.JNS, x86asm.JO, x86asm.JP, x86asm.JRCXZ,
		x86asm.JS, x86asm.LOOP, x86asm.LOOPE, x86asm.LOOPNE, x86asm.XBEGIN:
		return branch
	case x86asm.RET:
		return ret
	case x86asm.IRET, x86asm.IRETD, x86asm.IRETQ, x86asm.SYSRET, x86asm.SYSEXIT, x86asm.LRET:
		return leave
	case x86asm.UD0, x86asm.UD1, x86asm.UD2, x86asm.ICEBP:
		return stop
	case x86asm.INT:
		if x.Args[0] == x86asm.Imm(3) {
			return stop
		}
		return trap
	case x86asm.SYSCALL, x86asm.SYSENTER, x86asm.INTO:
		return trap
	case x86asm.STI:
		return enableInterrupts
	case x86asm.HLT:
		return halt
	}
	return plain
}

// padding tells whether the instruction only fills space between functions.
func (i *inst) padding() bool {
	return i.kind == stop || i.x.Op == x86asm.NOP || i.x.Op == x86asm.XCHG && i.x.Args[0] == i.x.Args[1]
}
