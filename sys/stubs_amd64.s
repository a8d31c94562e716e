#include "textflag.h"

// func gAddress() uintptr
// The goroutine's descriptor is the one word that the runtime keeps in thread
// local storage; it tells goroutines apart and is never dereferenced here.
TEXT ·gAddress(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func TSC() uint64
// RDTSC alone may be carried out before earlier instructions end (Intel SDM
// vol. 2, RDTSC); LFENCE orders it after them.
TEXT ·TSC(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL subleaf+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET

// func textBounds() (start, end uintptr)
// The linker's own marks around the machine code of the whole program.
TEXT ·textBounds(SB), NOSPLIT, $0-16
	LEAQ runtime·text(SB), AX
	MOVQ AX, start+0(FP)
	LEAQ runtime·etext(SB), AX
	MOVQ AX, end+8(FP)
	RET
