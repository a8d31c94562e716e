#include "textflag.h"

// The way from a boot loader to Go code on the boot CPU.
//
// LOAD is the one source of the physical load address: the build tool reads it
// through the symbol hearth_load and places the image there. SCRATCH is 64 KiB
// below the image, reserved by a program header that the build tool adds: the
// first page tables, descriptors and stack live there until the kernel has its
// own; secondaries pass through the same tables.
#define LOAD	0x2000000
#define SCRATCH	(LOAD - 0x10000)
#define IMAGE	0x7e0000000000

// Offsets in SCRATCH. Eight tables, then descriptors, then the stack.
#define PML4	(SCRATCH + 0x0000)
#define PDPT	(SCRATCH + 0x1000)
#define PD	(SCRATCH + 0x2000)
#define IPDPT	(SCRATCH + 0x6000)
#define IPD	(SCRATCH + 0x7000)
#define GDT	(SCRATCH + 0x8000)
#define STACK	(SCRATCH + 0x10000)

DATA hearth_load(SB)/8, $LOAD
GLOBL hearth_load(SB), RODATA, $8

// hearth_pvh is entered by PVH loaders in 32-bit protected mode without
// paging, EBX = physical address of hvm_start_info. Only instructions whose
// encoding is the same in 32-bit and 64-bit mode are used before the far
// return; the others are spelled in bytes.
TEXT hearth_pvh(SB),NOSPLIT|NOFRAME,$0
	CLI
	CLD
	CMPL	(BX), $0x336ec578
	JNE	refuse

	// Clear the tables and descriptors.
	MOVL	$SCRATCH, DI
	XORL	AX, AX
	MOVL	$0x2400, CX
	REP
	STOSL

	// Identity map of 4 GiB, in pages of 2 MiB.
	MOVL	$PD, DI
	MOVL	$0x83, AX
	MOVL	$2048, CX
identity:
	MOVL	AX, (DI)
	ADDL	$0x200000, AX
	ADDL	$8, DI
	SUBL	$1, CX
	JNE	identity

	// The image's gibibyte.
	MOVL	$IPD, DI
	MOVL	$(LOAD | 0x83), AX
	MOVL	$512, CX
image:
	MOVL	AX, (DI)
	ADDL	$0x200000, AX
	ADDL	$8, DI
	SUBL	$1, CX
	JNE	image

	MOVL	$PDPT, DI
	MOVL	$(PD + 0x0003), 0(DI)
	MOVL	$(PD + 0x1003), 8(DI)
	MOVL	$(PD + 0x2003), 16(DI)
	MOVL	$(PD + 0x3003), 24(DI)
	MOVL	$IPDPT, DI
	MOVL	$(IPD | 3), 0(DI)
	MOVL	$PML4, DI
	MOVL	$(PDPT | 3), 0(DI)
	MOVL	$(IPDPT | 3), 0x7e0(DI) // slot 252 holds IMAGE

	// Flat 64-bit code and data segments, and their pseudo-descriptor.
	MOVL	$GDT, DI
	MOVL	$0x00209a00, 12(DI)
	MOVL	$0x00009200, 20(DI)
	MOVL	$((GDT << 16) & 0xffffffff | 23), 32(DI)
	MOVL	$(GDT >> 16), 36(DI)
	MOVL	$(GDT + 32), AX
	LGDT	(AX)

	MOVL	CR4, AX
	ORL	$0x20, AX // PAE
	MOVL	AX, CR4
	MOVL	$PML4, AX
	MOVL	AX, CR3
	MOVL	$0xc0000080, CX
	RDMSR
	ORL	$0x100, AX // EFER.LME; NXE waits for the check of the CPU floor
	WRMSR
	MOVL	CR0, AX
	ORL	$0x80000001, AX
	MOVL	AX, CR0

	// Far return into 64-bit code: CS, then the address of the instruction
	// after the return, found by a call to the next instruction.
	MOVL	$STACK, SP
	BYTE	$0x6a; BYTE $0x08                               // push 8
	BYTE	$0xe8; BYTE $0; BYTE $0; BYTE $0; BYTE $0       // call next
	BYTE	$0x83; BYTE $0x04; BYTE $0x24; BYTE $0x05       // next: add dword [esp], 5
	BYTE	$0xcb                                           // retf

	// 64-bit code, still at its physical address: LEA gives that one.
	MOVL	$0x10, AX
	MOVW	AX, DS
	MOVW	AX, ES
	MOVW	AX, SS
	LEAQ	hearth_entry64(SB), AX
	MOVQ	$(IMAGE - LOAD), CX
	ADDQ	CX, AX
	JMP	AX

refuse:
	// No console is known yet: leave through isa-debug-exit, code 2.
	MOVL	$0x42, AX
	MOVL	$0xf4, DX
	OUTL
stop:
	HLT
	JMP	stop

// hearth_entry64 is the 64-bit entry, at the image's linked address, with the
// tables of hearth_pvh (or equal ones) in force and RBX = physical address of
// hvm_start_info. It makes a stack and a g for Go code and calls the kernel.
TEXT hearth_entry64(SB),NOSPLIT|NOFRAME,$0
	CLI
	CLD
	LEAQ	hearth_pvh(SB), AX  // keeps the 32-bit entry linked
	LEAQ	hearth_load(SB), AX // and the load address
	MOVL	BX, BX
	MOVQ	$STACK, SP

	// Go code uses SSE: CR0.EM off, MP on; CR4.OSFXSR, OSXMMEXCPT.
	MOVQ	CR0, AX
	ANDQ	$~0x4, AX
	ORQ	$0x10002, AX // and WP: read-only pages hold in ring 0 too
	MOVQ	AX, CR0
	MOVQ	CR4, AX
	ORQ	$0x600, AX
	MOVQ	AX, CR4

	// A g whose stack bounds are this stack, reached through FS as the
	// compiler's TLS slot at -8(FS). FS by MSR: FSGSBASE is not checked yet.
	LEAQ	·bootG(SB), DI
	MOVQ	$(GDT + 0x1000), AX
	MOVQ	AX, 0(DI)
	MOVQ	$STACK, CX
	MOVQ	CX, 8(DI)
	ADDQ	$1024, AX
	MOVQ	AX, 16(DI)
	MOVQ	AX, 24(DI)
	LEAQ	·bootM(SB), AX
	MOVQ	AX, 48(DI)
	LEAQ	·bootTLS+64(SB), AX
	MOVQ	DI, -8(AX)
	MOVQ	AX, DX
	SHRQ	$32, DX
	MOVL	$0xc0000100, CX
	WRMSR

	PUSHQ	$0 // keeps the stack 16-byte aligned at the call
	PUSHQ	BX
	PUSHQ	$0
	POPQ	BP // frame pointers end here
	CALL	hearth∕kernel·start(SB) // the one reference upwards: from machine to kernel
stop:
	CLI
	HLT
	JMP	stop
