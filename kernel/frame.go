package kernel

import "unsafe"

// frame is a register context: what a CPU held when it left a program for the
// kernel. The assembly of entry_amd64.s fills and loads it by field offset.
type frame struct {
	ax, cx, dx, bx, sp, bp, si, di  uint64
	r8, r9, r10, r11, r12, r13, r14 uint64
	r15                             uint64
	ip, flags, fs                   uint64
	resume                          uint64  // how to go back: one of the resume constants
	extended                        uintptr // XSAVE area: 64-byte aligned, a page of its own
	mxcsr                           uint32  // kept over system calls, which save nothing more
	fcw                             uint16
	_                               uint16
	vector, code                    uint64 // of a fault in kernel context
}

// Ways back into a program.
const (
	// resumeCall returns from a system call: RCX and R11 are lost, extended
	// state is what the kernel left but for MXCSR and the x87 control word.
	resumeCall = 0
	// resumeFull restores every register and the extended state.
	resumeFull = 1
)

// programFlags are the flags that a program starts with: interrupts on.
const programFlags = 0x202

// defaultMXCSR and defaultFCW are the floating-point controls at reset.
const (
	defaultMXCSR = 0x1f80
	defaultFCW   = 0x37f
)

func frameAt(address uintptr) *frame { return (*frame)(unsafe.Pointer(address)) }

// address returns where f stands, for the CPU's current word.
func (f *frame) address() uintptr { return uintptr(unsafe.Pointer(f)) }
