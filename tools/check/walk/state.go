package walk

import "golang.org/x/arch/x86/x86asm"

// state is what is known before an instruction, on every way to it.
type state struct {
	depth    int       // bytes of stack in use below the entry of the function
	regs     [16]value // what the general registers hold
	switched bool      // SP was loaded from elsewhere: this is another stack
	loose    bool      // SP was aligned: depth is a bound, not exact
}

// value is what a register is known to hold.
type value struct {
	kind valueKind
	n    int64 // constant: the number; frame: the depth that it points to
}

type valueKind uint8

const (
	unknown valueKind = iota
	constant
	frame
)

// stackRegister is the number of RSP.
const stackRegister = 4

// merge keeps what holds on both ways; it tells whether s has changed. Both are
// on the same stack.
func (s *state) merge(o *state) bool {
	before := *s
	s.depth = max(s.depth, o.depth)
	s.loose = s.loose || o.loose
	for i := range s.regs {
		if s.regs[i] != o.regs[i] {
			s.regs[i] = value{}
		}
	}
	return *s != before
}

// stack numbers the stack that SP is on: 0 the function's own, 1 a loaded one.
func (s *state) stack() int {
	if s.switched {
		return 1
	}
	return 0
}

// forget drops everything that a callee may have changed.
func (s *state) forget() { s.regs = [16]value{} }

// register numbers a general register from 0 for RAX to 15, whatever its width.
func register(a x86asm.Arg) (int, bool) {
	r, ok := a.(x86asm.Reg)
	switch {
	case !ok:
		return 0, false
	case r >= x86asm.AL && r <= x86asm.BL:
		return int(r - x86asm.AL), true
	case r >= x86asm.AH && r <= x86asm.BH:
		return int(r - x86asm.AH), true
	case r >= x86asm.SPB && r <= x86asm.R15B:
		return int(r-x86asm.SPB) + 4, true
	case r >= x86asm.AX && r <= x86asm.R15W:
		return int(r - x86asm.AX), true
	case r >= x86asm.EAX && r <= x86asm.R15L:
		return int(r - x86asm.EAX), true
	case r >= x86asm.RAX && r <= x86asm.R15:
		return int(r - x86asm.RAX), true
	}
	return 0, false
}

func isStack(a x86asm.Arg) bool { r, ok := register(a); return ok && r == stackRegister }

// full tells whether a names all 64 bits of a general register.
func full(a x86asm.Arg) bool {
	r, ok := a.(x86asm.Reg)
	return ok && r >= x86asm.RAX && r <= x86asm.R15
}

// address is the value of a memory operand's address.
func (s *state) address(m x86asm.Mem, next uint64) value {
	switch {
	case m.Segment != 0 || m.Index != 0:
		return value{}
	case m.Base == x86asm.RIP:
		return value{constant, int64(next) + m.Disp}
	case m.Base == 0:
		return value{constant, m.Disp}
	}
	return s.get(m.Base).plus(m.Disp)
}

// get is what the register holds; SP holds the depth by definition.
func (s *state) get(a x86asm.Arg) value {
	r, ok := register(a)
	if !ok || !full(a) {
		return value{}
	}
	if r == stackRegister && !s.switched {
		return value{frame, int64(s.depth)}
	}
	return s.regs[r]
}

// plus moves a value; the stack grows down, so a depth shrinks.
func (v value) plus(n int64) value {
	switch v.kind {
	case constant:
		v.n += n
	case frame:
		v.n -= n
	}
	return v
}
