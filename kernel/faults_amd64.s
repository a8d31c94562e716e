//go:build hearth_faults

#include "textflag.h"

// func runData(code *[1]byte)
TEXT ·runData(SB),NOSPLIT,$8-8
	MOVQ	code+0(FP), AX
	CALL	AX
	RET

// func useUpStack()
TEXT ·useUpStack(SB),NOSPLIT,$8-0
push:
	PUSHQ	AX // fails: stack
	JMP	push

// func divideWithoutCheck()
TEXT ·divideWithoutCheck(SB),NOSPLIT,$8-0
	XORL	DX, DX
	XORL	CX, CX
	MOVQ	$1, AX
	DIVQ	CX // fails: divide instruction
	RET
