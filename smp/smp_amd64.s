#include "textflag.h"

// secondaryEntry is where the trampoline jumps to, in 64-bit mode under the
// first tables, RBX = the trampoline's page. The CPU takes its name from the
// page: the exchange fails for a CPU that comes late, when the page already
// belongs to another, and that CPU stops here for good.
TEXT ·secondaryEntry(SB),NOSPLIT|NOFRAME,$0
	CLI
	MOVQ	BX, R8
	XORL	AX, AX
	CPUID
	CMPL	AX, $0xb
	JB	eight
	MOVL	$0xb, AX
	XORL	CX, CX
	CPUID
	TESTL	$0xff00, CX // the kind of level, 0: the leaf is empty
	JEQ	eight
	MOVL	DX, AX // all 32 bits of the APIC id
	JMP	named
eight:
	MOVL	$1, AX
	XORL	CX, CX
	CPUID
	SHRL	$24, BX // its low eight bits
	MOVL	BX, AX
named:
	MOVL	$-1, CX
	LOCK
	CMPXCHGL	CX, 0x70(R8)
	JNE	late
	MOVQ	0x68(R8), R9
	MOVQ	0x78(R8), R10
	MOVQ	0xb0(R8), R11
	MOVQ	0xb8(R8), AX
	MOVQ	AX, CR3 // the page is out of reach from here on
	MOVQ	R9, SP
	JMP	R11 // the kernel's entry, R10 = its argument
late:
	CLI
	HLT
	JMP	late

// func secondaryAddress() uintptr
TEXT ·secondaryAddress(SB),NOSPLIT,$0-8
	LEAQ	·secondaryEntry(SB), AX
	MOVQ	AX, ret+0(FP)
	RET

// func HaltForInterrupt()
// An interrupt between the caller's last look for work and HLT would be lost:
// STI lets none in until the instruction after it has begun, so HLT stands
// right behind STI.
TEXT ·HaltForInterrupt(SB),NOSPLIT,$0-0
	STI
	HLT
	CLI
	RET

// func LetInterruptsIn()
// STI lets interrupts in from the end of the instruction after it on: CLI must not
// be that one. NOP rather than PAUSE: on counted instructions QEMU takes a PAUSE as
// leave to run another CPU for up to 100 ms, and this one has work.
TEXT ·LetInterruptsIn(SB),NOSPLIT,$0-0
	STI
	NOP
	NOP
	CLI
	RET

// func readTSC() uint64
TEXT ·readTSC(SB),NOSPLIT,$0-8
	LFENCE // the read does not run ahead of earlier loads
	RDTSC
	SHLQ	$32, DX
	ORQ	DX, AX
	MOVQ	AX, ret+0(FP)
	RET

// func pause()
TEXT ·pause(SB),NOSPLIT,$0-0
	PAUSE
	RET

// func fence()
TEXT ·fence(SB),NOSPLIT,$0-0
	MFENCE
	LFENCE
	RET

// func readMSR(register uint32) uint64
TEXT ·readMSR(SB),NOSPLIT,$0-16
	MOVL	register+0(FP), CX
	RDMSR
	SHLQ	$32, DX
	ORQ	DX, AX
	MOVQ	AX, ret+8(FP)
	RET

// func writeMSR(register uint32, value uint64)
TEXT ·writeMSR(SB),NOSPLIT,$0-16
	MOVL	register+0(FP), CX
	MOVQ	value+8(FP), AX
	MOVQ	AX, DX
	SHRQ	$32, DX
	WRMSR
	RET
