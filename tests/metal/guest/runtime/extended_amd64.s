#include "textflag.h"

// Lane i of register n holds seed + 4n + i; R8 counts wrong lanes.
#define FILL(n, reg, low) \
	LEAQ	(4*n)(AX), DX; \
	VMOVQ	DX, low; \
	VPBROADCASTQ	low, reg; \
	VPADDQ	·lanes(SB), reg, reg

// func holdVectors(seed uint64, rounds int) (bad int)
TEXT ·holdVectors(SB),NOSPLIT,$64-24
	MOVQ	seed+0(FP), AX
	MOVQ	rounds+8(FP), CX
	XORL	R8, R8
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
	FILL(15, Y15, X15)
spin:
	SUBQ	$1, CX
	JNE	spin

#define CHECKLANE(n, i) \
	LEAQ	(4*n+i)(AX), DX; \
	CMPQ	DX, (8*i)(SP); \
	JEQ	2(PC); \
	ADDQ	$1, R8
#define CHECK(n, reg) \
	VMOVDQU	reg, 0(SP); \
	CHECKLANE(n, 0); \
	CHECKLANE(n, 1); \
	CHECKLANE(n, 2); \
	CHECKLANE(n, 3)
	CHECK(0, Y0)
	CHECK(1, Y1)
	CHECK(2, Y2)
	CHECK(3, Y3)
	CHECK(4, Y4)
	CHECK(5, Y5)
	CHECK(6, Y6)
	CHECK(7, Y7)
	CHECK(8, Y8)
	CHECK(9, Y9)
	CHECK(10, Y10)
	CHECK(11, Y11)
	CHECK(12, Y12)
	CHECK(13, Y13)
	CHECK(14, Y14)
	CHECK(15, Y15)
	VZEROUPPER
	XORPS	X15, X15 // Go code expects it to be zero
	MOVQ	R8, bad+16(FP)
	RET

DATA ·lanes+0(SB)/8, $0
DATA ·lanes+8(SB)/8, $1
DATA ·lanes+16(SB)/8, $2
DATA ·lanes+24(SB)/8, $3
GLOBL ·lanes(SB), RODATA|NOPTR, $32

// func setMXCSR(value uint32)
TEXT ·setMXCSR(SB),NOSPLIT,$0-4
	LDMXCSR	value+0(FP)
	RET

// func getMXCSR() uint32
TEXT ·getMXCSR(SB),NOSPLIT,$0-4
	STMXCSR	ret+0(FP)
	RET

// func setControl(value uint16)
TEXT ·setControl(SB),NOSPLIT,$0-2
	FLDCW	value+0(FP)
	RET

// func getControl() uint16
TEXT ·getControl(SB),NOSPLIT,$0-2
	FSTCW	ret+0(FP)
	RET

// func hasAVX2() bool
TEXT ·hasAVX2(SB),NOSPLIT,$0-1
	MOVL	$7, AX
	XORL	CX, CX
	CPUID
	SHRL	$5, BX
	ANDL	$1, BX
	MOVB	BX, ret+0(FP)
	RET
