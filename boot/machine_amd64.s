#include "textflag.h"

// func ReadTSC() uint64
TEXT ·ReadTSC(SB),NOSPLIT,$0-8
	// LFENCE keeps the read from running ahead of earlier loads.
	LFENCE
	RDTSC
	SHLQ	$32, DX
	ORQ	DX, AX
	MOVQ	AX, ret+0(FP)
	RET

// func Out8(port uint16, value uint8)
TEXT ·Out8(SB),NOSPLIT,$0-3
	MOVW	port+0(FP), DX
	MOVB	value+2(FP), AL
	OUTB
	RET

// func In32(port uint16) uint32
TEXT ·In32(SB),NOSPLIT,$0-12
	MOVW	port+0(FP), DX
	INL
	MOVL	AX, ret+8(FP)
	RET

// func Out32(port uint16, value uint32)
TEXT ·Out32(SB),NOSPLIT,$0-8
	MOVW	port+0(FP), DX
	MOVL	value+4(FP), AX
	OUTL
	RET

// func WriteMSR(register uint32, value uint64)
TEXT ·WriteMSR(SB),NOSPLIT,$0-16
	MOVL	register+0(FP), CX
	MOVQ	value+8(FP), AX
	MOVQ	AX, DX
	SHRQ	$32, DX
	WRMSR
	RET

// func ReadMSR(register uint32) uint64
TEXT ·ReadMSR(SB),NOSPLIT,$0-16
	MOVL	register+0(FP), CX
	RDMSR
	SHLQ	$32, DX
	ORQ	DX, AX
	MOVQ	AX, ret+8(FP)
	RET

// func ReadCR2() uint64
TEXT ·ReadCR2(SB),NOSPLIT,$0-8
	MOVQ	CR2, AX
	MOVQ	AX, ret+0(FP)
	RET

// func ReadCR3() uint64
TEXT ·ReadCR3(SB),NOSPLIT,$0-8
	MOVQ	CR3, AX
	MOVQ	AX, ret+0(FP)
	RET

// func WriteCR3(value uint64)
TEXT ·WriteCR3(SB),NOSPLIT,$0-8
	MOVQ	value+0(FP), AX
	MOVQ	AX, CR3
	RET

// func Invalidate(address uintptr)
TEXT ·Invalidate(SB),NOSPLIT,$0-8
	MOVQ	address+0(FP), AX
	INVLPG	(AX)
	RET

// func Pause()
TEXT ·Pause(SB),NOSPLIT,$0-0
	PAUSE
	RET

// func Random() (value uint64, ok bool)
TEXT ·Random(SB),NOSPLIT,$0-9
	RDRANDQ	AX
	SETCS	ok+8(FP)
	MOVQ	AX, value+0(FP)
	RET

// func loadGDT(pseudo *[10]byte)
TEXT ·loadGDT(SB),NOSPLIT,$0-8
	MOVQ	pseudo+0(FP), AX
	LGDT	(AX)
	MOVL	$0x10, AX
	MOVW	AX, DS
	MOVW	AX, ES
	MOVW	AX, SS
	// A far return reloads CS from the new table.
	PUSHQ	$0x08
	LEAQ	reloaded<>(SB), AX
	PUSHQ	AX
	RETFQ
TEXT reloaded<>(SB),NOSPLIT|NOFRAME,$0-0
	RET

// func loadTask(selector uint16)
TEXT ·loadTask(SB),NOSPLIT,$0-2
	MOVW	selector+0(FP), AX
	BYTE	$0x0f; BYTE $0x00; BYTE $0xd8 // LTR AX
	RET

// func loadIDT(pseudo *[10]byte)
TEXT ·loadIDT(SB),NOSPLIT,$0-8
	MOVQ	pseudo+0(FP), AX
	LIDT	(AX)
	RET

// func loadAddress() uint64
TEXT ·loadAddress(SB),NOSPLIT,$0-8
	MOVQ	hearth_load(SB), AX
	MOVQ	AX, ret+0(FP)
	RET

// func Halt()
TEXT ·Halt(SB),NOSPLIT,$0-0
	CLI
	HLT
	RET
