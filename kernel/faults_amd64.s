//go:build hearth_faults

#include "textflag.h"

// func runData(code *[1]byte)
TEXT ·runData(SB),NOSPLIT,$8-8
	MOVQ	code+0(FP), AX
	CALL	AX
	RET

// func divideWithoutCheck()
TEXT ·divideWithoutCheck(SB),NOSPLIT,$8-0
	XORL	DX, DX
	XORL	CX, CX
	MOVQ	$1, AX
	DIVQ	CX // fails: divide instruction
	RET

// func overflow(top uintptr)
// The frame pointer stays, so that the record shows the caller.
TEXT ·overflow(SB),NOSPLIT,$8-8
	MOVQ	top+0(FP), AX
	TESTQ	AX, AX
	JEQ	pushes
	MOVQ	AX, SP
pushes:
	PUSHQ	AX // fails: overflow
	JMP	pushes

// func raiseInKernel(vector uint64)
TEXT ·raiseInKernel(SB),NOSPLIT,$16-8
	MOVQ	vector+0(FP), AX
	CMPQ	AX, $1
	JEQ	step
	CMPQ	AX, $3
	JEQ	break
	CMPQ	AX, $6
	JEQ	opcode
	CMPQ	AX, $7
	JEQ	device
	CMPQ	AX, $12
	JEQ	segment
	CMPQ	AX, $13
	JEQ	general
	CMPQ	AX, $16
	JEQ	float
	CMPQ	AX, $19
	JEQ	simd
	RET
step:
	PUSHFQ
	ORQ	$0x100, 0(SP) // TF
	POPFQ
	BYTE	$0x90 // NOP: the assembler leaves its own out
	RET
break:
	BYTE	$0xcc
	RET
opcode:
	BYTE	$0x0f; BYTE $0x0b // UD2
device:
	MOVQ	CR0, AX
	ORQ	$8, AX // TS
	MOVQ	AX, CR0
	FINIT
	RET
segment:
	// An address that is not canonical, through the stack segment.
	MOVQ	$0x8000000000000000, AX
	PUSHQ	AX
	POPQ	BP
	MOVQ	0(BP), AX
	RET
general:
	MOVQ	$0x8000000000000000, AX
	MOVQ	(AX), AX
	RET
float:
	MOVQ	$0x37b, 0(SP) // division by zero not masked
	FLDCW	0(SP)
	FLD1
	FLDZ
	FDIVDP	F0, F1
	BYTE	$0x9b // FWAIT
	RET
simd:
	MOVQ	$0x1d80, 0(SP) // division by zero not masked
	LDMXCSR	0(SP)
	XORPS	X0, X0
	MOVQ	$1, AX
	CVTSQ2SD	AX, X1
	DIVSD	X0, X1
	RET
