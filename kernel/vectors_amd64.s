#include "go_asm.h"
#include "textflag.h"

// Interrupt and exception entries. Every one is on an interrupt stack, so that
// the frame below stands there, not on a goroutine's stack:
//
//	0 vector, 8 error code, 16 ip, 24 cs, 32 flags, 40 sp, 48 ss

#define RDFSBASE_AX	BYTE $0xf3; BYTE $0x48; BYTE $0x0f; BYTE $0xae; BYTE $0xc0
#define WRFSBASE_AX	BYTE $0xf3; BYTE $0x48; BYTE $0x0f; BYTE $0xae; BYTE $0xd0

// SAVE fills the frame at BX from the registers and from what the interrupt
// pushed; the interrupted BX is on the stack. RAX is lost.
#define SAVE \
	MOVQ	AX, frame_ax(BX); \
	MOVQ	CX, frame_cx(BX); \
	MOVQ	DX, frame_dx(BX); \
	MOVQ	BP, frame_bp(BX); \
	MOVQ	SI, frame_si(BX); \
	MOVQ	DI, frame_di(BX); \
	MOVQ	R8, frame_r8(BX); \
	MOVQ	R9, frame_r9(BX); \
	MOVQ	R10, frame_r10(BX); \
	MOVQ	R11, frame_r11(BX); \
	MOVQ	R12, frame_r12(BX); \
	MOVQ	R13, frame_r13(BX); \
	MOVQ	R14, frame_r14(BX); \
	MOVQ	R15, frame_r15(BX); \
	POPQ	AX; \
	MOVQ	AX, frame_bx(BX); \
	MOVQ	0(SP), AX; \
	MOVQ	AX, perCPU_vector(GS); \
	MOVQ	8(SP), AX; \
	MOVQ	AX, perCPU_code(GS); \
	MOVQ	16(SP), AX; \
	MOVQ	AX, frame_ip(BX); \
	MOVQ	32(SP), AX; \
	MOVQ	AX, frame_flags(BX); \
	MOVQ	40(SP), AX; \
	MOVQ	AX, frame_sp(BX)

// PLAIN is an entry without an error code, WITHCODE one where the CPU pushed
// it, FATAL one that is never handled: its stack is its own, and the context
// it hit is not touched.
#define PLAIN(name, n) \
TEXT name(SB),NOSPLIT|NOFRAME,$0; \
	PUSHQ	$0; \
	PUSHQ	$n; \
	JMP	·interrupted(SB)
#define WITHCODE(name, n) \
TEXT name(SB),NOSPLIT|NOFRAME,$0; \
	PUSHQ	$n; \
	JMP	·interrupted(SB)
#define FATAL(name, n) \
TEXT name(SB),NOSPLIT|NOFRAME,$0; \
	PUSHQ	$0; \
	PUSHQ	$n; \
	JMP	·faulted(SB)
#define FATALCODE(name, n) \
TEXT name(SB),NOSPLIT|NOFRAME,$0; \
	PUSHQ	$n; \
	JMP	·faulted(SB)

PLAIN(·vector0, 0)
PLAIN(·vector1, 1)
PLAIN(·vector3, 3)
PLAIN(·vector4, 4)
PLAIN(·vector5, 5)
PLAIN(·vector6, 6)
FATAL(·vector7, 7) // floating point is never switched off
FATALCODE(·vector8, 8)
PLAIN(·vector9, 9)
WITHCODE(·vector10, 10)
WITHCODE(·vector11, 11)
WITHCODE(·vector12, 12)
WITHCODE(·vector13, 13)
WITHCODE(·vector14, 14)
PLAIN(·vector16, 16)
WITHCODE(·vector17, 17)
FATAL(·vector18, 18)
PLAIN(·vector19, 19)
PLAIN(·vector20, 20)
WITHCODE(·vector21, 21)
PLAIN(·vector64, 64)
PLAIN(·vector65, 65)
PLAIN(·vector66, 66)
PLAIN(·vector255, 255)
// Any other vector; the handler asks the LAPIC which.
PLAIN(·vector256, 256)

// interrupted saves the program's registers into the current frame and calls
// the kernel; in the kernel only an interrupt that ends a halt is expected.
TEXT ·interrupted(SB),NOSPLIT|NOFRAME,$0
	CMPQ	perCPU_mode(GS), $const_inProgram
	JNE	kernel
	CLD
	PUSHQ	BX
	MOVQ	perCPU_current(GS), BX
	SAVE
	MOVQ	$const_resumeFull, frame_resume(BX)
	MOVQ	frame_extended(BX), DI
	MOVL	$-1, AX
	MOVL	$-1, DX
	XSAVE64	(DI)
	// Kernel code must meet no x87 exception that the program left pending.
	MOVWLZX	(DI), AX
	ANDL	$0x3f, AX
	CMPL	AX, $0x3f
	JEQ	masked
	BYTE	$0xdb; BYTE $0xe2 // FNCLEX
masked:
	RDFSBASE_AX
	MOVQ	AX, frame_fs(BX)
	MOVQ	$const_inKernel, perCPU_mode(GS)
	MOVQ	perCPU_kernelFS(GS), AX
	WRFSBASE_AX
	MOVQ	perCPU_stackTop(GS), SP
	PUSHQ	$0
	POPQ	BP // frame pointers end here
	CALL	·onInterrupt(SB)
	JMP	·resume(SB)

kernel:
	CMPQ	perCPU_mode(GS), $const_inHalt
	JNE	fault
	CMPQ	0(SP), $32
	JB	fault
	// The halt's end: note it, end the interrupt, go back. Nothing is saved.
	// Several may come before interrupts are off again, so each has its bit.
	PUSHQ	AX
	MOVQ	8(SP), AX
	CMPQ	AX, $const_spurious
	JEQ	spurious
	ANDQ	$63, AX
	BTSQ	AX, perCPU_woken(GS)
	MOVQ	hearth∕smp·EOIRegister(SB), AX
	TESTQ	AX, AX
	JEQ	x2APIC
	MOVL	$0, (AX)
spurious:
	POPQ	AX
	ADDQ	$16, SP
	IRETQ
x2APIC:
	PUSHQ	CX
	PUSHQ	DX
	MOVL	$0x80b, CX // end of interrupt
	XORL	AX, AX
	XORL	DX, DX
	WRMSR
	POPQ	DX
	POPQ	CX
	JMP	spurious
fault:
	JMP	·faulted(SB)

// faulted saves the registers of a fault in kernel context into the CPU's block,
// those of its first one apart from later ones, and goes to the crash record on
// the stack that the fault brought.
TEXT ·faulted(SB),NOSPLIT|NOFRAME,$0
	CLD
	CLTS // Go code needs SSE, whatever was done to it
	PUSHQ	BX
	INCQ	(perCPU_failure+failure_count)(GS)
	CMPQ	(perCPU_failure+failure_count)(GS), $const_failuresMost
	JA	hopeless
	CMPQ	(perCPU_failure+failure_phase)(GS), $0
	JNE	later
	MOVQ	perCPU_mode(GS), BX
	MOVQ	BX, (perCPU_failure+failure_was)(GS)
	MOVQ	$const_inCrash, perCPU_mode(GS)
	MOVQ	perCPU_self(GS), BX
	ADDQ	$(perCPU_failure+failure_fault), BX
	JMP	save
later:
	MOVQ	perCPU_self(GS), BX
	ADDQ	$(perCPU_failure+failure_nested), BX
save:
	SAVE
	MOVQ	perCPU_vector(GS), AX
	MOVQ	AX, frame_vector(BX)
	MOVQ	perCPU_code(GS), AX
	MOVQ	AX, frame_code(BX)
	RDFSBASE_AX
	MOVQ	AX, frame_fs(BX)
	MOVQ	perCPU_faultFS(GS), AX
	WRFSBASE_AX
	ANDQ	$~15, SP
	PUSHQ	$0
	POPQ	BP // frame pointers end here
	CALL	·onFault(SB)

	// Back into the runtime, which goes on printing why it gave up.
	MOVQ	(perCPU_failure+failure_goBack)(GS), BX
	MOVQ	perCPU_kernelFS(GS), AX
	WRFSBASE_AX
	MOVQ	frame_ax(BX), AX
	MOVQ	frame_dx(BX), DX
	PUSHQ	frame_bp(BX)
	POPQ	BP
	MOVQ	frame_si(BX), SI
	MOVQ	frame_di(BX), DI
	MOVQ	frame_r8(BX), R8
	MOVQ	frame_r9(BX), R9
	MOVQ	frame_r10(BX), R10
	MOVQ	frame_r12(BX), R12
	MOVQ	frame_r13(BX), R13
	MOVQ	frame_r14(BX), R14
	MOVQ	frame_r15(BX), R15
	MOVQ	frame_ip(BX), CX
	MOVQ	frame_sp(BX), SP
	MOVQ	frame_bx(BX), BX
	JMP	CX

	// The code that writes the record fails, too: end without one.
hopeless:
	MOVL	$const_crashValue, AX
	MOVL	$const_exitPort, DX
	OUTL
stop:
	CLI
	HLT
	JMP	stop

// vector2 is the non-maskable interrupt. A CPU that has failed or stopped already
// goes on with what it was doing: its registers are saved.
TEXT ·vector2(SB),NOSPLIT|NOFRAME,$0
	CMPQ	perCPU_mode(GS), $const_inCrash
	JAE	saved
	PUSHQ	$0
	PUSHQ	$2
	JMP	·faulted(SB)
saved:
	IRETQ

#define ENTRY(name, n) \
	LEAQ	name(SB), AX; \
	MOVQ	AX, (8*n)(DI)

// func vectorAddresses(to *[257]uintptr)
// The entries by vector; 256 is the one for vectors that have none.
TEXT ·vectorAddresses(SB),NOSPLIT,$0-8
	MOVQ	to+0(FP), DI
	ENTRY(·vector0, 0)
	ENTRY(·vector1, 1)
	ENTRY(·vector2, 2)
	ENTRY(·vector3, 3)
	ENTRY(·vector4, 4)
	ENTRY(·vector5, 5)
	ENTRY(·vector6, 6)
	ENTRY(·vector7, 7)
	ENTRY(·vector8, 8)
	ENTRY(·vector9, 9)
	ENTRY(·vector10, 10)
	ENTRY(·vector11, 11)
	ENTRY(·vector12, 12)
	ENTRY(·vector13, 13)
	ENTRY(·vector14, 14)
	ENTRY(·vector16, 16)
	ENTRY(·vector17, 17)
	ENTRY(·vector18, 18)
	ENTRY(·vector19, 19)
	ENTRY(·vector20, 20)
	ENTRY(·vector21, 21)
	ENTRY(·vector64, 64)
	ENTRY(·vector65, 65)
	ENTRY(·vector66, 66)
	ENTRY(·vector255, 255)
	ENTRY(·vector256, 256)
	RET
