#include "textflag.h"

#define CLONE	56
#define FUTEX	202

// func cloneWaiter(word *uint32) int
// The clone waits for ever, on no stack: as long as it makes no call but this one, it
// needs none. R12 survives the system call.
TEXT ·cloneWaiter(SB),NOSPLIT,$0-16
	MOVQ	word+0(FP), R12
	MOVQ	$CLONE, AX
	MOVQ	$0x10f00, DI // as the Go runtime asks: memory, files and signals shared, a thread
	MOVQ	$0, SI
	SYSCALL
	TESTQ	AX, AX
	JEQ	child
	MOVQ	AX, ret+8(FP)
	RET
child:
	MOVQ	$FUTEX, AX
	MOVQ	R12, DI
	MOVQ	$0, SI
	MOVQ	$0, DX
	MOVQ	$0, R10
	SYSCALL
	JMP	child
