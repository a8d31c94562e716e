package smp

import "github.com/usbarmory/tamago/amd64/lapic"

// Interrupt vectors that the kernel uses.
const (
	// AlarmVector is the one-shot of the CPU's own timer.
	AlarmVector = 0x40
	// KickVector is a directed interrupt from another CPU.
	KickVector = 0x41
	// FlushVector asks for a TLB flush.
	FlushVector = 0x42
	// SpuriousVector is what the LAPIC sends when an interrupt went away; it
	// has no end of interrupt.
	SpuriousVector = 0xff
)

// Registers of the local APIC that TamaGo's package has no name for.
const (
	registerID           = 0x20
	registerTask         = 0x80
	registerInService    = 0x100
	registerLINT1        = 0x360
	registerInitialCount = 0x380
	registerCurrentCount = 0x390
	registerDivide       = 0x3e0

	divideByOne    = 0b1011
	deliverNMI     = 0x400
	levelAssert    = 1 << lapic.ICR_INIT
	startupPending = 1 << lapic.ICR_DLV_STATUS
)

// base is where the LAPIC's registers are mapped: every CPU sees its own
// there.
var base uintptr

// EOIRegister is the address of the end-of-interrupt register, for the light
// interrupt entry of an idle CPU, which is assembly.
var EOIRegister uintptr

// UseLAPIC says where the LAPIC's registers are mapped, uncached. It comes
// before everything else of this package.
func UseLAPIC(address uintptr) {
	base = address
	EOIRegister = address + lapic.LAPIC_EOI
}

// EnableLAPIC makes the calling CPU's LAPIC accept interrupts. LINT1 carries
// the board's NMI on every CPU, so that a harness can ask all of them at once.
func EnableLAPIC() {
	store(registerTask, 0)
	store(registerLINT1, deliverNMI)
	store(registerDivide, divideByOne)
	store(lapic.LAPIC_SVR, 1<<lapic.SVR_ENABLE|SpuriousVector)
}

// APICID returns the calling CPU's APIC id, all eight bits of it.
func APICID() uint32 { return load(registerID) >> lapic.ID }

// EndInterrupt tells the LAPIC that the interrupt in service is dealt with.
func EndInterrupt() { store(lapic.LAPIC_EOI, 0) }

// InService returns the highest vector in service on the calling CPU, or -1.
func InService() int {
	for word := 7; word >= 0; word-- {
		bits := load(registerInService + uintptr(word)*0x10)
		for bit := 31; bit >= 0; bit-- {
			if bits>>bit&1 != 0 {
				return word*32 + bit
			}
		}
	}
	return -1
}

// send writes one command to the CPU with an APIC id. Interrupts are off in
// kernel context, so the two halves stay together.
func send(apic, command uint32) {
	for load(lapic.LAPIC_ICRL)&startupPending != 0 {
		pause()
	}
	store(lapic.LAPIC_ICRH, apic<<lapic.ID)
	store(lapic.LAPIC_ICRL, command)
}

// Kick interrupts the CPU with an APIC id, so that it makes a pass.
func Kick(apic uint32) { send(apic, levelAssert|KickVector) }

// Flush interrupts the CPU with an APIC id, so that it flushes its TLB.
func Flush(apic uint32) { send(apic, levelAssert|FlushVector) }
