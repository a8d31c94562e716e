#include "textflag.h"

#define CHECK(n, reg) \
	LEAQ	n(AX), CX; \
	CMPQ	reg, CX; \
	JNE	bad

// func hold(seed uint64, rounds, call int) (bad int)
// All registers that a system call keeps are used; only BP, by which profilers
// walk the stack, and SP are left alone.
TEXT ·hold(SB),NOSPLIT,$16-32
	MOVQ	seed+0(FP), AX
	MOVQ	rounds+8(FP), CX
	MOVQ	CX, 0(SP)
	LEAQ	1(AX), BX
	LEAQ	2(AX), SI
	LEAQ	3(AX), DI
	LEAQ	4(AX), DX
	LEAQ	8(AX), R8
	LEAQ	9(AX), R9
	LEAQ	10(AX), R10
	LEAQ	12(AX), R12
	LEAQ	13(AX), R13
	LEAQ	14(AX), R14
	LEAQ	15(AX), R15
round:
	CMPQ	call+16(FP), $0
	JEQ	spin
	MOVQ	$4097, AX // the call that does nothing
	SYSCALL
	JMP	compare
spin:
	LEAQ	11(AX), R11
	MOVQ	$200, CX
more:
	SUBQ	$1, CX
	JNE	more
	CHECK(11, R11)
compare:
	MOVQ	seed+0(FP), AX
	CHECK(1, BX)
	CHECK(2, SI)
	CHECK(3, DI)
	CHECK(4, DX)
	CHECK(8, R8)
	CHECK(9, R9)
	CHECK(10, R10)
	CHECK(12, R12)
	CHECK(13, R13)
	CHECK(14, R14)
	CHECK(15, R15)
	SUBQ	$1, 0(SP)
	JNE	round
	MOVQ	$0, bad+24(FP)
	RET
bad:
	MOVQ	$1, bad+24(FP)
	RET

#define FILL(n, reg, low) \
	LEAQ	n(AX), DX; \
	VMOVQ	DX, low; \
	VPBROADCASTQ	low, reg

#define COMPARE(n, reg) \
	LEAQ	n(AX), DX; \
	VMOVQ	DX, X15; \
	VPBROADCASTQ	X15, Y15; \
	VPXOR	reg, Y15, Y15; \
	VPTEST	Y15, Y15; \
	JNE	wrong

// func holdVectors(seed uint64, rounds int) (bad int)
// Every lane of Yn holds seed + n, for n from 0 to 14; Y15 compares.
TEXT ·holdVectors(SB),NOSPLIT,$0-24
	MOVQ	seed+0(FP), AX
	MOVQ	rounds+8(FP), BX
	FILL(0, Y0, X0)
	FILL(1, Y1, X1)
	FILL(2, Y2, X2)
	FILL(3, Y3, X3)
	FILL(4, Y4, X4)
	FILL(5, Y5, X5)
	FILL(6, Y6, X6)
	FILL(7, Y7, X7)
	FILL(8, Y8, X8)
	FILL(9, Y9, X9)
	FILL(10, Y10, X10)
	FILL(11, Y11, X11)
	FILL(12, Y12, X12)
	FILL(13, Y13, X13)
	FILL(14, Y14, X14)
again:
	MOVQ	$200, CX
spin:
	SUBQ	$1, CX
	JNE	spin
	COMPARE(0, Y0)
	COMPARE(1, Y1)
	COMPARE(2, Y2)
	COMPARE(3, Y3)
	COMPARE(4, Y4)
	COMPARE(5, Y5)
	COMPARE(6, Y6)
	COMPARE(7, Y7)
	COMPARE(8, Y8)
	COMPARE(9, Y9)
	COMPARE(10, Y10)
	COMPARE(11, Y11)
	COMPARE(12, Y12)
	COMPARE(13, Y13)
	COMPARE(14, Y14)
	SUBQ	$1, BX
	JNE	again
	MOVQ	$0, bad+16(FP)
	JMP	out
wrong:
	MOVQ	$1, bad+16(FP)
out:
	VZEROUPPER
	XORPS	X15, X15 // Go code expects it to be zero
	RET

// func relax()
TEXT ·relax(SB),NOSPLIT,$0-0
	PAUSE
	RET
