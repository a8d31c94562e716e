package smp

// trampoline is what a secondary runs from its startup interrupt to 64-bit
// code: it stands at the start of a page below 1 MiB, and reads its data from
// the same page. It goes from real mode to long mode in one step, under the
// tables that the boot CPU started with.
var trampoline = [...]byte{
	0xfa,       // cli
	0xfc,       // cld
	0x8c, 0xc8, // mov ax, cs
	0x8e, 0xd8, // mov ds, ax
	0x66, 0x0f, 0x01, 0x16, offPseudo, 0, // o32 lgdt [pseudo]
	0x66, 0xa1, offTables, 0, // mov eax, [tables]
	0x0f, 0x22, 0xd8, // mov cr3, eax
	0x0f, 0x20, 0xe0, // mov eax, cr4
	0x66, 0x83, 0xc8, 0x20, // or eax, PAE
	0x0f, 0x22, 0xe0, // mov cr4, eax
	0x66, 0xb9, 0x80, 0x00, 0x00, 0xc0, // mov ecx, EFER
	0x0f, 0x32, // rdmsr
	0x66, 0x0d, 0x00, 0x09, 0x00, 0x00, // or eax, LME|NXE
	0x0f, 0x30, // wrmsr
	0x0f, 0x20, 0xc0, // mov eax, cr0
	0x66, 0x25, 0xff, 0xff, 0xff, 0x9f, // and eax, ~(CD|NW): INIT leaves them set
	0x66, 0x0d, 0x01, 0x00, 0x00, 0x80, // or eax, PG|PE
	0x0f, 0x22, 0xc0, // mov cr0, eax
	0x66, 0xff, 0x2e, offFar, 0, // o32 jmp far [far]
	// offLong: 64-bit code.
	0x48, 0x8d, 0x1d, 0xb5, 0xff, 0xff, 0xff, // lea rbx, [rip - 75]: the page's start
	0xff, 0x63, offEntry, // jmp [rbx + entry]
}

// Where the trampoline's data stand in its page. secondaryEntry knows the
// offsets of what it reads.
const (
	offLong     = 68
	offEntry    = 0x60 // 64-bit address of secondaryEntry
	offStack    = 0x68 // the secondary's kernel stack
	offExpected = 0x70 // APIC id of the CPU being started; taken by it, or by the boot CPU when it gives up
	offArgument = 0x78 // for the kernel's entry
	offTables   = 0x80 // physical address of the first tables
	offPseudo   = 0x88 // limit and address of the descriptors
	offGDT      = 0x90
	offFar      = 0xa8 // where the far jump goes
	offNext     = 0xb0 // the kernel's entry for a secondary
	offKernel   = 0xb8 // physical address of the kernel's tables

	// taken stands in offExpected when nobody is being started.
	taken = 0xffffffff
)
