#include "textflag.h"
#include "go_asm.h"

// func divideByZero()
TEXT ·divideByZero(SB),NOSPLIT|NOFRAME,$0-0
	XORL	CX, CX
	XORL	DX, DX
	MOVQ	$1, AX
	DIVQ	CX
	RET

// func divideOverflow()
TEXT ·divideOverflow(SB),NOSPLIT|NOFRAME,$0-0
	MOVQ	$0x8000000000000000, AX
	MOVQ	$-1, DX
	MOVQ	$-1, CX
	IDIVQ	CX
	RET

// func singleStep()
// The trap comes behind the instruction after the one that sets TF.
TEXT ·singleStep(SB),NOSPLIT|NOFRAME,$0-0
	PUSHFQ
	ORQ	$0x100, 0(SP)
	POPFQ
	BYTE	$0x90 // NOP: the assembler leaves its own out
	RET

// func breakpoint()
TEXT ·breakpoint(SB),NOSPLIT|NOFRAME,$0-0
	BYTE	$0xcc
	RET

// func invalidInstruction()
TEXT ·invalidInstruction(SB),NOSPLIT|NOFRAME,$0-0
	BYTE	$0x0f; BYTE $0x0b // UD2
	RET

// func badAddress()
TEXT ·badAddress(SB),NOSPLIT|NOFRAME,$0-0
	MOVQ	$0x8000000000000000, AX
	MOVQ	(AX), AX
	RET

// func badStackAddress()
TEXT ·badStackAddress(SB),NOSPLIT|NOFRAME,$0-0
	MOVQ	BP, ·got+const_offFrame(SB)
	MOVQ	$0x8000000000000000, AX
	PUSHQ	AX
	POPQ	BP
	MOVQ	0(BP), AX
	RET

// func x87DivideByZero()
TEXT ·x87DivideByZero(SB),NOSPLIT|NOFRAME,$0-0
	FLDCW	controls<>(SB)
	FLD1
	FLDZ
	FDIVDP	F0, F1
	BYTE	$0x9b // FWAIT
	RET

// func x87Invalid()
TEXT ·x87Invalid(SB),NOSPLIT|NOFRAME,$0-0
	FLDCW	controls<>(SB)
	FLDZ
	FLDZ
	FDIVDP	F0, F1
	BYTE	$0x9b // FWAIT
	RET

// func x87Pending()
TEXT ·x87Pending(SB),NOSPLIT|NOFRAME,$0-0
	FLDCW	controls<>(SB)
	FLD1
	FLDZ
	FDIVDP	F0, F1
	MOVQ	$35, AX // nanosleep: others run meanwhile, on the same CPU
	LEAQ	moment<>(SB), DI
	XORL	SI, SI
	SYSCALL
	BYTE	$0xdb; BYTE $0xe3 // FNINIT
	RET

// func waitX87()
TEXT ·waitX87(SB),NOSPLIT|NOFRAME,$0-0
	BYTE	$0x9b // FWAIT
	RET

// Invalid operation and division by zero are not masked.
DATA controls<>+0(SB)/8, $0x37a
GLOBL controls<>(SB), RODATA, $8

DATA moment<>+0(SB)/8, $0
DATA moment<>+8(SB)/8, $30000000 // ns
GLOBL moment<>(SB), RODATA, $16

// func raiseSIMD()
TEXT ·raiseSIMD(SB),NOSPLIT|NOFRAME,$0-0
	LDMXCSR	simd<>(SB)
	XORPS	X0, X0
	MOVQ	$1, AX
	CVTSQ2SD	AX, X1
	DIVSD	X0, X1
	RET

// func callSIMDVector()
TEXT ·callSIMDVector(SB),NOSPLIT|NOFRAME,$0-0
	LDMXCSR	simd<>+8(SB)
	BYTE	$0xcd; BYTE $19 // INT 19
	RET

// Division by zero is not masked; the second has also its flag set.
DATA simd<>+0(SB)/8, $0x1d80
DATA simd<>+8(SB)/8, $0x1d84
GLOBL simd<>(SB), RODATA, $16

// func load(address uintptr)
TEXT ·load(SB),NOSPLIT|NOFRAME,$0-8
	MOVQ	address+0(FP), AX
	MOVQ	(AX), AX
	RET

// func store(address uintptr)
TEXT ·store(SB),NOSPLIT|NOFRAME,$0-8
	MOVQ	address+0(FP), AX
	MOVQ	AX, (AX)
	RET

// func call(address uintptr)
// The call is a jump, so that the handler finds this one's return address.
TEXT ·call(SB),NOSPLIT|NOFRAME,$0-8
	MOVQ	address+0(FP), AX
	JMP	AX

// handler notes what it was told and goes back to whoever called the function that
// raised the exception, with sane floating-point controls and TF clear.
TEXT handler<>(SB),NOSPLIT|NOFRAME,$0
	MOVL	DI, AX
	MOVQ	AX, ·got+const_offSignal(SB)
	MOVLQSX	8(SI), AX
	MOVQ	AX, ·got+const_offCode(SB)
	MOVQ	16(SI), AX
	MOVQ	AX, ·got+const_offAddress(SB)
	MOVQ	168(DX), AX // RIP
	MOVQ	AX, ·got+const_offPlace(SB)
	MOVQ	200(DX), AX // vector
	MOVQ	AX, ·got+const_offVector(SB)
	MOVQ	160(DX), R8 // RSP
	MOVQ	(R8), AX
	MOVQ	AX, 168(DX)
	ADDQ	$8, R8
	MOVQ	R8, 160(DX)
	ANDQ	$~0x100, 176(DX) // TF
	MOVQ	·got+const_offFrame(SB), AX
	TESTQ	AX, AX
	JEQ	kept
	MOVQ	AX, 120(DX) // RBP
kept:
	MOVQ	224(DX), R8 // extended state
	TESTQ	R8, R8
	JEQ	done
	MOVL	$0x37f, (R8) // control and status words
	MOVB	$0, 4(R8)    // tags: empty
	MOVL	$0x1f80, 24(R8)
done:
	RET

TEXT restorer<>(SB),NOSPLIT|NOFRAME,$0
	MOVQ	$15, AX // rt_sigreturn
	SYSCALL
	INT	$3

// func handlerAddress() uintptr
TEXT ·handlerAddress(SB),NOSPLIT,$0-8
	LEAQ	handler<>(SB), AX
	MOVQ	AX, ret+0(FP)
	RET

// func restorerAddress() uintptr
TEXT ·restorerAddress(SB),NOSPLIT,$0-8
	LEAQ	restorer<>(SB), AX
	MOVQ	AX, ret+0(FP)
	RET

// func textAddress() uintptr
TEXT ·textAddress(SB),NOSPLIT,$0-8
	LEAQ	handler<>(SB), AX
	MOVQ	AX, ret+0(FP)
	RET
