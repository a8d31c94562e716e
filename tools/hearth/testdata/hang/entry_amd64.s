#include "textflag.h"

DATA hearth_load(SB)/8, $0x2000000
GLOBL hearth_load(SB), RODATA, $8

// The ELF entry. It is never reached here, but keeps the other symbols alive.
TEXT hearth_entry64(SB), NOSPLIT|NOFRAME, $0
	MOVQ hearth_load(SB), AX
	LEAQ hearth_pvh(SB), BX
	HLT

// The PVH entry, in 32-bit mode: prints U and a line end, then halts with
// interrupts off.
TEXT hearth_pvh(SB), NOSPLIT|NOFRAME, $0
	BYTE $0xba; LONG $0x3f8 // MOVL 0x3f8, DX
	BYTE $0xb0; BYTE $'U' // MOVL 'U', AL
	BYTE $0xee // OUTB AL, DX
	BYTE $0xb0; BYTE $'\n'
	BYTE $0xee
	BYTE $0x31; BYTE $0xed // XORL BP, BP
	BYTE $0xfa // CLI
	BYTE $0xf4 // HLT
	BYTE $0xeb; BYTE $0xfd // back to the HLT
