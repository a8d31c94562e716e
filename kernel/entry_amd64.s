#include "go_asm.h"
#include "textflag.h"

// MSRs of the system-call entry and of the segment bases.
#define EFER	0xc0000080
#define STAR	0xc0000081
#define LSTAR	0xc0000082
#define FMASK	0xc0000084
#define FSBASE	0xc0000100
#define GSBASE	0xc0000101

#define WRITEMSR(register) \
	MOVL	$register, CX; \
	MOVQ	AX, DX; \
	SHRQ	$32, DX; \
	WRMSR

#define RDFSBASE_AX	BYTE $0xf3; BYTE $0x48; BYTE $0x0f; BYTE $0xae; BYTE $0xc0
#define WRFSBASE_AX	BYTE $0xf3; BYTE $0x48; BYTE $0x0f; BYTE $0xae; BYTE $0xd0

// func start(info uintptr)
// Called on the boot stack under the first tables. prepare makes the kernel's
// tables and the boot CPU's block; then the stack changes for good.
TEXT ·start(SB),NOSPLIT,$8-8
	MOVQ	info+0(FP), AX
	MOVQ	AX, 0(SP)
	CALL	·prepare(SB)
	LEAQ	·bootCPU(SB), R10
	MOVQ	hearth∕boot·Root(SB), AX
	MOVQ	perCPU_stackTop(R10), R9
	MOVQ	AX, CR3
	MOVQ	R9, SP
	JMP	·enter(SB)

// enter makes the calling CPU a kernel CPU: R10 = its block, on its kernel
// stack, under the kernel's tables. Boot CPU and secondaries come by here.
TEXT ·enter(SB),NOSPLIT|NOFRAME,$0
	CLI
	CLD
	MOVQ	CR0, AX
	ANDQ	$~((1<<30)|(1<<29)|(1<<3)|(1<<2)), AX // caches on; no TS, no EM
	ORQ	$((1<<16)|(1<<5)|(1<<1)), AX           // WP, NE, MP
	MOVQ	AX, CR0
	MOVQ	CR4, AX
	// PGE, OSFXSR, OSXMMEXCPT, FSGSBASE, OSXSAVE
	ORQ	$((1<<7)|(1<<9)|(1<<10)|(1<<16)|(1<<18)), AX
	MOVQ	AX, CR4
	XORL	CX, CX
	MOVQ	·extendedStates(SB), AX
	XORL	DX, DX
	XSETBV
	BYTE	$0xdb; BYTE $0xe3 // FNINIT

	MOVL	$EFER, CX
	RDMSR
	ORL	$((1<<11)|1), AX // NXE, SCE
	WRMSR
	MOVQ	$(0x08<<32), AX // SYSCALL: code 0x08, data 0x10, ring 0
	WRITEMSR(STAR)
	LEAQ	·systemCallEntry(SB), AX
	WRITEMSR(LSTAR)
	MOVQ	$0x700, AX // clears IF, DF, TF
	WRITEMSR(FMASK)
	MOVQ	R10, AX
	WRITEMSR(GSBASE)
	MOVQ	perCPU_kernelFS(R10), AX
	WRITEMSR(FSBASE)
	PUSHQ	$0
	POPQ	BP // frame pointers end here
	CMPL	perCPU_id(R10), $0
	JNE	secondary
	CALL	·bootMain(SB)
	JMP	·resume(SB)
secondary:
	CALL	·secondaryMain(SB)
	JMP	·resume(SB)

// systemCallEntry is where SYSCALL leads: RCX = return address, R11 = flags,
// interrupts off, still on the program's stack. The frame is complete before
// any kernel code runs, so from then on whoever may wake the context finds it
// saved.
TEXT ·systemCallEntry(SB),NOSPLIT|NOFRAME,$0
	CMPQ	perCPU_mode(GS), $const_inProgram
	JEQ	program
	JMP	·kernelCall(SB)
program:
	MOVQ	SP, perCPU_programSP(GS)
	MOVQ	perCPU_current(GS), SP
	MOVQ	AX, frame_ax(SP)
	MOVQ	CX, frame_ip(SP)
	MOVQ	DX, frame_dx(SP)
	MOVQ	BX, frame_bx(SP)
	MOVQ	BP, frame_bp(SP)
	MOVQ	SI, frame_si(SP)
	MOVQ	DI, frame_di(SP)
	MOVQ	R8, frame_r8(SP)
	MOVQ	R9, frame_r9(SP)
	MOVQ	R10, frame_r10(SP)
	MOVQ	R11, frame_flags(SP)
	MOVQ	R12, frame_r12(SP)
	MOVQ	R13, frame_r13(SP)
	MOVQ	R14, frame_r14(SP)
	MOVQ	R15, frame_r15(SP)
	MOVQ	perCPU_programSP(GS), AX
	MOVQ	AX, frame_sp(SP)
	MOVQ	$const_resumeCall, frame_resume(SP)
	STMXCSR	frame_mxcsr(SP)
	FSTCW	frame_fcw(SP)
	// Kernel code must meet no x87 exception that the program left pending.
	MOVWLZX	frame_fcw(SP), AX
	ANDL	$0x3f, AX
	CMPL	AX, $0x3f
	JNE	clear
cleared:
	RDFSBASE_AX
	MOVQ	AX, frame_fs(SP)
	MOVQ	$const_inKernel, perCPU_mode(GS)
	MOVQ	perCPU_kernelFS(GS), AX
	WRFSBASE_AX
	MOVQ	perCPU_stackTop(GS), SP
	XORL	BP, BP
	CALL	·onSystemCall(SB)
	JMP	·resume(SB)
clear:
	BYTE	$0xdb; BYTE $0xe2 // FNCLEX
	JMP	cleared

// resume goes back into the context whose frame is current.
TEXT ·resume(SB),NOSPLIT|NOFRAME,$0
	MOVQ	perCPU_current(GS), BX
	MOVQ	frame_fs(BX), AX
	WRFSBASE_AX
	CMPQ	frame_resume(BX), $const_resumeCall
	JNE	full

	LDMXCSR	frame_mxcsr(BX)
	// Nor must the program meet one that another left behind.
	MOVWLZX	frame_fcw(BX), AX
	ANDL	$0x3f, AX
	CMPL	AX, $0x3f
	JEQ	masked
	BYTE	$0xdb; BYTE $0xe2 // FNCLEX
masked:
	FLDCW	frame_fcw(BX)
	XORPS	X15, X15 // Go code expects it to be zero
	MOVQ	frame_ax(BX), AX
	MOVQ	frame_ip(BX), CX
	MOVQ	frame_dx(BX), DX
	PUSHQ	frame_bp(BX)
	POPQ	BP
	MOVQ	frame_si(BX), SI
	MOVQ	frame_di(BX), DI
	MOVQ	frame_r8(BX), R8
	MOVQ	frame_r9(BX), R9
	MOVQ	frame_r10(BX), R10
	MOVQ	frame_flags(BX), R11
	MOVQ	frame_r12(BX), R12
	MOVQ	frame_r13(BX), R13
	MOVQ	frame_r14(BX), R14
	MOVQ	frame_r15(BX), R15
	MOVQ	frame_sp(BX), SP
	MOVQ	frame_bx(BX), BX
	MOVQ	$const_inProgram, perCPU_mode(GS)
	STI // lets nothing in before the jump is done
	JMP	CX

full:
	MOVQ	frame_extended(BX), DI
	MOVL	$-1, AX
	MOVL	$-1, DX
	XRSTOR64	(DI)
	MOVQ	perCPU_stackTop(GS), SP
	PUSHQ	$const_dataSelector
	PUSHQ	frame_sp(BX)
	PUSHQ	frame_flags(BX)
	PUSHQ	$const_codeSelector
	PUSHQ	frame_ip(BX)
	MOVQ	frame_ax(BX), AX
	MOVQ	frame_cx(BX), CX
	MOVQ	frame_dx(BX), DX
	PUSHQ	frame_bp(BX)
	POPQ	BP
	MOVQ	frame_si(BX), SI
	MOVQ	frame_di(BX), DI
	MOVQ	frame_r8(BX), R8
	MOVQ	frame_r9(BX), R9
	MOVQ	frame_r10(BX), R10
	MOVQ	frame_r11(BX), R11
	MOVQ	frame_r12(BX), R12
	MOVQ	frame_r13(BX), R13
	MOVQ	frame_r14(BX), R14
	MOVQ	frame_r15(BX), R15
	MOVQ	frame_bx(BX), BX
	MOVQ	$const_inProgram, perCPU_mode(GS)
	IRETQ

// kernelCall is where a system call of kernel code ends up: only a throw or a
// panic of the runtime makes one, so it is a fault of the kernel. The message
// is still in the call's arguments.
TEXT ·kernelCall(SB),NOSPLIT|NOFRAME,$0
	MOVQ	SP, perCPU_programSP(GS)
	MOVQ	perCPU_faultStack(GS), SP
	PUSHQ	$0x10
	PUSHQ	perCPU_programSP(GS)
	PUSHQ	R11
	PUSHQ	$0x08
	PUSHQ	CX
	PUSHQ	$0
	PUSHQ	$const_vectorThrow
	JMP	·faulted(SB)

// func me() *perCPU
TEXT ·me(SB),NOSPLIT,$0-8
	MOVQ	perCPU_self(GS), AX
	MOVQ	AX, ret+0(FP)
	RET

// func enterAddress() uintptr
TEXT ·enterAddress(SB),NOSPLIT,$0-8
	LEAQ	·enter(SB), AX
	MOVQ	AX, ret+0(FP)
	RET

// func programEntry() uintptr
// The Go runtime's own entry point: where process 1 starts.
TEXT ·programEntry(SB),NOSPLIT,$0-8
	LEAQ	_rt0_amd64_linux(SB), AX
	MOVQ	AX, ret+0(FP)
	RET

// func breakpoint()
// It has a frame, so that the path of the crash record begins with its caller.
TEXT ·breakpoint(SB),NOSPLIT,$8-0
	BYTE	$0xcc
	RET
