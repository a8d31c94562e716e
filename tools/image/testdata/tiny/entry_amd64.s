#include "textflag.h"

// Where the image is to lie in physical memory.
DATA hearth_load(SB)/8, $0x2000000
GLOBL hearth_load(SB), RODATA, $8

// The ELF entry. It is never reached here, but keeps the other symbols alive.
TEXT hearth_entry64(SB), NOSPLIT|NOFRAME, $0
	MOVQ hearth_load(SB), AX
	LEAQ hearth_pvh(SB), BX
	HLT

// The PVH entry: 32-bit protected mode, no paging, so the instructions are
// given byte by byte. It looks for the ELF header at physical 0x2000000, then
// prints H for found or N for not found, and ends QEMU with status 33.
TEXT hearth_pvh(SB), NOSPLIT|NOFRAME, $0
	BYTE $0xb0; BYTE $'H' // MOVL 'H', AL
	// CMPL [0x2000000], 0x464c457f
	BYTE $0x81; BYTE $0x3d; LONG $0x2000000; LONG $0x464c457f
	BYTE $0x74; BYTE $0x02 // JE over the next instruction
	BYTE $0xb0; BYTE $'N'
	BYTE $0xba; LONG $0x3f8 // MOVL 0x3f8, DX
	BYTE $0xee // OUTB AL, DX
	BYTE $0xb0; BYTE $'\n'
	BYTE $0xee
	BYTE $0xb8; LONG $0x10 // MOVL 0x10, AX
	BYTE $0xba; LONG $0xf4 // MOVL 0xf4, DX
	BYTE $0xef // OUTL AX, DX
	BYTE $0xf4 // HLT
	BYTE $0xeb; BYTE $0xfd // back to the HLT
