package boot

import (
	"unsafe"

	"github.com/usbarmory/tamago/amd64"
)

// processor gives TamaGo's CPUID access; nothing else of that type is used
// (docs/tamago.md says why).
var processor amd64.CPU

// CPUID returns the four words of a CPUID leaf on the calling CPU. Callers
// check the highest leaf first: beyond it a CPU answers with other leaves' data.
func CPUID(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32) {
	return processor.CPUID(leaf, subleaf)
}

// ReadTSC returns the calling CPU's time stamp counter, in ticks.
func ReadTSC() uint64

// Out8 writes a byte to an I/O port.
func Out8(port uint16, value uint8)

// In32 reads 32 bits from an I/O port.
func In32(port uint16) uint32

// Out32 writes 32 bits to an I/O port.
func Out32(port uint16, value uint32)

// ReadMSR reads a model-specific register; one that the CPU lacks faults.
func ReadMSR(register uint32) uint64

// WriteMSR writes a model-specific register; one that the CPU lacks faults.
func WriteMSR(register uint32, value uint64)

// ReadCR2 returns the address of the last page fault.
func ReadCR2() uint64

// ReadCR3 returns the physical address of the page tables in force.
func ReadCR3() uint64

// WriteCR3 loads page tables by physical address and drops the TLB's entries.
func WriteCR3(value uint64)

// Invalidate drops the TLB entry of one page on the calling CPU.
func Invalidate(address uintptr)

// Pause tells the CPU (and QEMU's scheduler) that the caller spins.
func Pause()

// Random returns 64 random bits of the CPU's generator; ok is false when it
// had none ready.
func Random() (value uint64, ok bool)

// X2APIC reports whether firmware has left the LAPIC in x2APIC mode.
func X2APIC() bool {
	const apicBase, enabled = 0x1b, 1 << 10
	return ReadMSR(apicBase)&enabled != 0
}

//go:noescape
func loadGDT(pseudo *[10]byte)
func loadTask(selector uint16)

//go:noescape
func loadIDT(pseudo *[10]byte)

// Load32 reads a 32-bit device register through its mapped address.
func Load32(address uintptr) uint32 { return *(*uint32)(unsafe.Pointer(address)) }

// Store32 writes a 32-bit device register through its mapped address.
func Store32(address uintptr, value uint32) { *(*uint32)(unsafe.Pointer(address)) = value }

// Load64 reads a 64-bit device register through its mapped address.
func Load64(address uintptr) uint64 { return *(*uint64)(unsafe.Pointer(address)) }

// The stand-in g of the boot stack (see entry_amd64.s): its bounds, an empty m
// behind it and the TLS block whose slot points to it.
//
//lint:ignore U1000 only the assembly uses them
var (
	bootG   [64]uint64
	bootM   [512]uint64
	bootTLS [16]uint64
)

// Store64 writes a 64-bit device register through its mapped address.
func Store64(address uintptr, value uint64) { *(*uint64)(unsafe.Pointer(address)) = value }
