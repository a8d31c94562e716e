#include "textflag.h"

// The entries. What they call is compiled for the ABI of Go; its arguments are
// of no interest, since none of this is ever run.

#define ENTRY(entry, function) \
TEXT entry(SB),NOSPLIT|NOFRAME,$0; \
	CLI; \
	SUBQ	$64, SP; \
	CALL	function(SB); \
	ADDQ	$64, SP; \
	IRETQ

ENTRY(·entryRightScan, ·rightScan)
ENTRY(·entryRightSwitch, ·rightSwitch)
ENTRY(·entryRightGeneric, ·rightGeneric)
ENTRY(·entryRightClosure, ·rightClosure)
ENTRY(·entryRightStrings, ·rightStrings)
ENTRY(·entryWrongAllocation, ·wrongAllocation)
ENTRY(·entryWrongSlice, ·wrongSlice)
ENTRY(·entryWrongBarrier, ·wrongBarrier)
ENTRY(·entryWrongAppend, ·wrongAppend)
ENTRY(·entryWrongMapRead, ·wrongMapRead)
ENTRY(·entryWrongMapWrite, ·wrongMapWrite)
ENTRY(·entryWrongSend, ·wrongSend)
ENTRY(·entryWrongReceive, ·wrongReceive)
ENTRY(·entryWrongSelect, ·wrongSelect)
ENTRY(·entryWrongGo, ·wrongGo)
ENTRY(·entryWrongDefer, ·wrongDefer)
ENTRY(·entryWrongDeferLoop, ·wrongDeferLoop)
ENTRY(·entryWrongRecover, ·wrongRecover)
ENTRY(·entryWrongConversion, ·wrongConversion)
ENTRY(·entryWrongAssertion, ·wrongAssertion)
ENTRY(·entryWrongEqual, ·wrongEqual)
ENTRY(·entryWrongClosure, ·wrongClosure)
ENTRY(·entryWrongIndirect, ·wrongIndirect)
ENTRY(·entryWrongInterface, ·wrongInterface)
ENTRY(·entryWrongMethodValue, ·wrongMethodValue)
ENTRY(·entryWrongConcat, ·wrongConcat)
ENTRY(·entryWrongBytes, ·wrongBytes)
ENTRY(·entryWrongDictionary, ·wrongDictionary)
ENTRY(·entryWrongDeep, ·wrongDeep)
ENTRY(·entryWrongRecursion, ·wrongRecursion)
ENTRY(·entryWrongRuntime, ·wrongRuntime)
ENTRY(·entryWrongFar, ·wrongFar)

// Right: every instruction that kernels use and disassemblers do not know.
TEXT ·entryRightInstructions(SB),NOSPLIT|NOFRAME,$0
	BYTE	$0xf3; BYTE $0x0f; BYTE $0x1e; BYTE $0xfa             // ENDBR64
	BYTE	$0x0f; BYTE $0x01; BYTE $0xca                         // CLAC
	BYTE	$0x0f; BYTE $0x01; BYTE $0xcb                         // STAC
	BYTE	$0x0f; BYTE $0x01; BYTE $0xc8                         // MONITOR
	BYTE	$0x0f; BYTE $0x01; BYTE $0xc9                         // MWAIT
	BYTE	$0x0f; BYTE $0x01; BYTE $0xfa                         // MONITORX
	BYTE	$0x0f; BYTE $0x01; BYTE $0xfb                         // MWAITX
	BYTE	$0x66; BYTE $0x0f; BYTE $0xae; BYTE $0xf1             // TPAUSE ECX
	BYTE	$0xf3; BYTE $0x48; BYTE $0x0f; BYTE $0xae; BYTE $0xc0 // RDFSBASE AX
	BYTE	$0xf3; BYTE $0x48; BYTE $0x0f; BYTE $0xae; BYTE $0xd0 // WRFSBASE AX
	BYTE	$0xf3; BYTE $0x49; BYTE $0x0f; BYTE $0xae; BYTE $0xc9 // RDGSBASE R9
	BYTE	$0xf3; BYTE $0x48; BYTE $0x0f; BYTE $0xae; BYTE $0xd8 // WRGSBASE AX
	BYTE	$0x48; BYTE $0x0f; BYTE $0xc7; BYTE $0x64; BYTE $0x24; BYTE $0x40 // XSAVEC64 64(SP)
	BYTE	$0x48; BYTE $0x0f; BYTE $0xc7; BYTE $0xaf; LONG $0x12345678       // XSAVES64 0x12345678(DI)
	BYTE	$0x0f; BYTE $0x38; BYTE $0xf0; BYTE $0x05; LONG $0               // MOVBE 0(IP), AX
	BYTE	$0x66; BYTE $0x0f; BYTE $0x3a; BYTE $0x0f; BYTE $0xc1; BYTE $0x08 // PALIGNR $8, X1, X0
	XSAVE64	(DI)
	XSAVEOPT64	(DI)
	XRSTOR64	64(DI)
	FXSAVE64	(DI)
	XGETBV
	XSETBV
	SWAPGS
	RDTSCP
	RDMSR
	WRMSR
	INVLPG	(AX)
	WBINVD
	MOVQ	CR4, AX
	MOVQ	AX, CR3
	LGDT	(AX)
	LIDT	(AX)
	LOCK
	CMPXCHG16B	(DI)
	REP
	STOSQ
	VMOVDQU	(SI), Y0
	VPXOR	Y0, Y1, Y2
	VZEROUPPER
	PAUSE
	MOVL	$0, (DI)(AX*4)
	IRETQ

// Right: several gates in one TEXT, each entered by its own address.
TEXT ·entryRightSweep(SB),NOSPLIT|NOFRAME,$0
	PUSHQ	$1
	JMP	common
	PUSHQ	$2
	JMP	common
	PUSHQ	$3
	JMP	common
common:
	ADDQ	$8, SP
	IRETQ

// Right: interrupts come in with the halt itself.
TEXT ·entryRightIdle(SB),NOSPLIT|NOFRAME,$0
	STI
	HLT
	CLI
	IRETQ

// Right: an area on the stack that is aligned, and left through a saved SP.
TEXT ·entryRightAlign(SB),NOSPLIT|NOFRAME,$0
	MOVQ	SP, BX
	SUBQ	$896, SP
	ANDQ	$~63, SP
	XSAVE64	(SP)
	MOVQ	BX, SP
	IRETQ

// Right: listed as halting for good.
TEXT ·entryRightCrash(SB),NOSPLIT|NOFRAME,$0
	CLI
stop:
	HLT
	JMP	stop

// Right: listed as jumping back to the program.
TEXT ·entryRightLeave(SB),NOSPLIT|NOFRAME,$0
	MOVQ	8(GS), SP
	MOVQ	8(SP), CX
	STI
	JMP	CX

// Right: calls what a register holds, which the walk can see.
TEXT ·entryRightKnown(SB),NOSPLIT|NOFRAME,$0
	MOVQ	$·rightCallee(SB), AX
	MOVQ	AX, R12
	CALL	R12
	IRETQ

TEXT ·rightCallee(SB),NOSPLIT|NOFRAME,$0
	PUSHQ	AX
	POPQ	AX
	RET

// Right: begins on the program's stack, and leaves it alone.
TEXT ·entryRightProgramStack(SB),NOSPLIT|NOFRAME,$0
	MOVQ	SP, 8(GS)
	MOVQ	16(GS), SP
	PUSHQ	8(GS)
	CALL	·rightCallee(SB)
	MOVQ	8(GS), SP
	IRETQ

// Wrong: pushes before it has a stack of its own.
TEXT ·entryWrongProgramStack(SB),NOSPLIT|NOFRAME,$0
	PUSHQ	AX
	MOVQ	16(GS), SP
	IRETQ

// Wrong: changes stacks on one of two ways that join.
TEXT ·entryWrongTwoStacks(SB),NOSPLIT|NOFRAME,$0
	TESTQ	AX, AX
	JNE	join
	MOVQ	16(GS), SP
join:
	PUSHQ	AX
	IRETQ

// Wrong: calls what the list leaves out.
TEXT ·entryWrongSkipped(SB),NOSPLIT|NOFRAME,$0
	CALL	·leftOut(SB)
	IRETQ

// Wrong: an interrupt between STI and HLT would be lost.
TEXT ·entryWrongHalt(SB),NOSPLIT|NOFRAME,$0
	STI
	BYTE	$0x90 // NOP
	HLT
	IRETQ

TEXT ·entryWrongHaltAlone(SB),NOSPLIT|NOFRAME,$0
	HLT
	IRETQ

TEXT ·entryWrongHaltJump(SB),NOSPLIT|NOFRAME,$0
	TESTQ	AX, AX
	JNE	halt
	STI
halt:
	HLT
	IRETQ

// Wrong: listed as halting for good, and lets interrupts in.
TEXT ·entryWrongCrash(SB),NOSPLIT|NOFRAME,$0
	STI
	HLT
	IRETQ

TEXT ·entryWrongTrap(SB),NOSPLIT|NOFRAME,$0
	SYSCALL
	IRETQ

TEXT ·entryWrongUnbalanced(SB),NOSPLIT|NOFRAME,$0
	CALL	·unbalanced(SB)
	IRETQ

TEXT ·unbalanced(SB),NOSPLIT|NOFRAME,$0
	BYTE	$0x50 // PUSHQ AX, behind the back of the assembler's own check
	RET

TEXT ·entryWrongStackRegister(SB),NOSPLIT|NOFRAME,$0
	SUBQ	AX, SP
	IRETQ

TEXT ·entryWrongPushLoop(SB),NOSPLIT|NOFRAME,$0
more:
	PUSHQ	AX
	JMP	more

// Wrong: 0x06 was PUSH ES, and is nothing in 64-bit mode.
TEXT ·entryWrongUnreadable(SB),NOSPLIT|NOFRAME,$0
	BYTE	$0x06
	IRETQ

TEXT ·entryWrongJump(SB),NOSPLIT|NOFRAME,$0
	MOVQ	8(GS), AX
	JMP	AX

// Wrong: only the second gate of the TEXT allocates.
TEXT ·entryWrongSweep(SB),NOSPLIT|NOFRAME,$0
	IRETQ
	CALL	·swept(SB)
	IRETQ

TEXT ·entryWrongOffEnd(SB),NOSPLIT|NOFRAME,$0
	CALL	·unbalanced(SB)

// Wrong: entered by address, and not listed.
TEXT ·entryWrongTaken(SB),NOSPLIT|NOFRAME,$0
	LEAQ	·gate(SB), AX
	IRETQ

TEXT ·gate(SB),NOSPLIT|NOFRAME,$0
	IRETQ

DATA	·gates+0(SB)/8, $·gateOfData(SB)
GLOBL	·gates(SB), NOPTR|RODATA, $8

TEXT ·gateOfData(SB),NOSPLIT|NOFRAME,$0
	IRETQ

TEXT ·keep(SB),NOSPLIT,$0-8
	CALL	·entryRightScan(SB)
	CALL	·entryRightSwitch(SB)
	CALL	·entryRightGeneric(SB)
	CALL	·entryRightClosure(SB)
	CALL	·entryRightStrings(SB)
	CALL	·entryWrongAllocation(SB)
	CALL	·entryWrongSlice(SB)
	CALL	·entryWrongBarrier(SB)
	CALL	·entryWrongAppend(SB)
	CALL	·entryWrongMapRead(SB)
	CALL	·entryWrongMapWrite(SB)
	CALL	·entryWrongSend(SB)
	CALL	·entryWrongReceive(SB)
	CALL	·entryWrongSelect(SB)
	CALL	·entryWrongGo(SB)
	CALL	·entryWrongDefer(SB)
	CALL	·entryWrongDeferLoop(SB)
	CALL	·entryWrongRecover(SB)
	CALL	·entryWrongConversion(SB)
	CALL	·entryWrongAssertion(SB)
	CALL	·entryWrongEqual(SB)
	CALL	·entryWrongClosure(SB)
	CALL	·entryWrongIndirect(SB)
	CALL	·entryWrongInterface(SB)
	CALL	·entryWrongMethodValue(SB)
	CALL	·entryWrongConcat(SB)
	CALL	·entryWrongBytes(SB)
	CALL	·entryWrongDictionary(SB)
	CALL	·entryWrongDeep(SB)
	CALL	·entryWrongRecursion(SB)
	CALL	·entryWrongRuntime(SB)
	CALL	·entryWrongFar(SB)
	CALL	·entryRightInstructions(SB)
	CALL	·entryRightSweep(SB)
	CALL	·entryRightIdle(SB)
	CALL	·entryRightAlign(SB)
	CALL	·entryRightCrash(SB)
	CALL	·entryRightLeave(SB)
	CALL	·entryRightKnown(SB)
	CALL	·entryRightProgramStack(SB)
	CALL	·entryWrongProgramStack(SB)
	CALL	·entryWrongTwoStacks(SB)
	CALL	·entryWrongSkipped(SB)
	CALL	·entryWrongHalt(SB)
	CALL	·entryWrongHaltAlone(SB)
	CALL	·entryWrongHaltJump(SB)
	CALL	·entryWrongCrash(SB)
	CALL	·entryWrongTrap(SB)
	CALL	·entryWrongUnbalanced(SB)
	CALL	·entryWrongStackRegister(SB)
	CALL	·entryWrongPushLoop(SB)
	CALL	·entryWrongUnreadable(SB)
	CALL	·entryWrongJump(SB)
	CALL	·entryWrongSweep(SB)
	CALL	·entryWrongOffEnd(SB)
	CALL	·entryWrongTaken(SB)
	MOVQ	·gates(SB), AX
	MOVQ	$0, ret+0(FP)
	RET
