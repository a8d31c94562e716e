#include "go_asm.h"
#include "textflag.h"

// Clock reads that make no system call, for Linux programs: the Go runtime looks
// for these functions in the image of vdso_image_amd64.s. They are program code
// with the C calling convention, on whatever stack the program has: they use
// none, and keep BX, BP and R12 to R15.

#define CLOCK_GETTIME	228
#define GETTIMEOFDAY	96

// Sets of clocks, bit n for clock n: those that are read here, and those of them
// that count from 1970. The others are left to the kernel.
#define KNOWN	0xf3
#define FROM1970	0x21

// NANOSECONDS puts the time since boot into AX, by the same arithmetic as
// boot.Clock; CX, DX and R8 are lost. Of a 128-bit product, low half in AX, the
// two shifts take what lies above the shift's bits: x86 counts modulo 64.
#define NANOSECONDS \
	LFENCE; \
	RDTSC; \
	SHLQ	$32, DX; \
	ORQ	DX, AX; \
	SUBQ	·timeBase+timeData_start(SB), AX; \
	MULQ	·timeBase+timeData_factor(SB); \
	MOVQ	·timeBase+timeData_shift(SB), CX; \
	MOVQ	DX, R8; \
	SHRQ	CX, R8; \
	SHRQ	CX, DX, AX; \
	CMPQ	CX, $64; \
	CMOVQCC	R8, AX

// SECONDS splits nanoseconds in AX into seconds, R8, and nanoseconds, AX; DX is
// lost. It divides by 10^9 = 2^9 * 5^9 with a product: exact for 64 bits.
#define SECONDS \
	MOVQ	AX, CX; \
	SHRQ	$9, AX; \
	MOVQ	$0x44b82fa09b5a53, DX; \
	MULQ	DX; \
	SHRQ	$11, DX; \
	MOVQ	DX, R8; \
	IMULQ	$1000000000, DX; \
	MOVQ	CX, AX; \
	SUBQ	DX, AX

// int clock_gettime(int clock DI, struct timespec *to SI)
TEXT ·vdsoClockGettime(SB),NOSPLIT|NOFRAME,$0
	CMPQ	·timeBase+timeData_direct(SB), $0
	JEQ	call
	CMPL	DI, $7
	JHI	call
	MOVL	$KNOWN, AX
	BTL	DI, AX
	JCC	call
	NANOSECONDS
	MOVL	$FROM1970, CX
	BTL	DI, CX
	JCC	split
	ADDQ	·timeBase+timeData_wall(SB), AX
split:
	SECONDS
	MOVQ	R8, 0(SI)
	MOVQ	AX, 8(SI)
	XORL	AX, AX
	RET
call:
	MOVL	$CLOCK_GETTIME, AX
	SYSCALL
	RET

// int gettimeofday(struct timeval *to DI, void *zone SI)
// A time zone is nobody's business here: whoever asks for one asks the kernel.
TEXT ·vdsoGettimeofday(SB),NOSPLIT|NOFRAME,$0
	CMPQ	·timeBase+timeData_direct(SB), $0
	JEQ	call
	TESTQ	SI, SI
	JNE	call
	TESTQ	DI, DI
	JEQ	call
	NANOSECONDS
	ADDQ	·timeBase+timeData_wall(SB), AX
	SECONDS
	MOVQ	R8, 0(DI)
	XORL	DX, DX
	MOVL	$1000, CX
	DIVL	CX
	MOVQ	AX, 8(DI)
	XORL	AX, AX
	RET
call:
	MOVL	$GETTIMEOFDAY, AX
	SYSCALL
	RET

// func vdsoAddress() uintptr
TEXT ·vdsoAddress(SB),NOSPLIT,$0-8
	LEAQ	·vdsoImage(SB), AX
	MOVQ	AX, ret+0(FP)
	RET
