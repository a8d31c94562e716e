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

const (
	divideByOne    = 0b1011
	deliverNMI     = 0x400
	levelAssert    = 1 << lapic.ICR_INIT
	startupPending = 1 << lapic.ICR_DLV_STATUS
)

// UseLAPIC says where the LAPIC's registers are mapped, uncached. It or
// [UseX2APIC] comes before everything else of this package.
func UseLAPIC(address uintptr) {
	x2APIC, base = false, address
	EOIRegister = address + lapic.LAPIC_EOI
}

// UseX2APIC says that the registers are reached in x2APIC mode, which CPUs have
// whose APIC ids do not fit eight bits.
func UseX2APIC() { x2APIC, base, EOIRegister = true, 0, 0 }

// NeedsX2APIC reports whether that mode is to be used: where firmware left it on,
// since going back is not always allowed, and where a CPU that is listed has an
// id that only this mode can name.
func NeedsX2APIC(on, able bool, highest uint32) bool { return on || able && highest > MostAPIC }

// MostAPIC is the highest APIC id that names one CPU without x2APIC mode.
const MostAPIC = 0xfe

// EnableLAPIC makes the calling CPU's LAPIC accept interrupts. LINT1 carries
// the board's NMI on every CPU, so that a harness can ask all of them at once.
func EnableLAPIC() {
	var t turns
	t.from(readMSR(apicBase), x2APIC)
	for i := 0; i < t.count; i++ {
		writeMSR(apicBase, t.at[i])
	}
	var s steps
	s.enable()
	s.run()
}

// DisableLAPIC makes the calling CPU deaf to all interrupts, NMIs of the board
// included: it is about to stop for good.
func DisableLAPIC() { store(lapic.LAPIC_SVR, SpuriousVector) }

func (s *steps) enable() {
	s.add(registerTask, 0)
	s.add(registerLINT1, deliverNMI)
	s.add(registerDivide, divideByOne)
	s.add(lapic.LAPIC_SVR, 1<<lapic.SVR_ENABLE|SpuriousVector)
}

// IA32_APIC_BASE and its bits.
const (
	apicBase    = 0x1b
	apicEnabled = 1 << 11
	apicX2      = 1 << 10
)

// turns are the values that IA32_APIC_BASE takes on the way to a mode: only some
// changes are allowed in one step (Intel SDM 3A, figure 10-27).
type turns struct {
	count int
	at    [2]uint64
}

func (t *turns) from(now uint64, x2 bool) {
	const both = apicEnabled | apicX2
	rest, mode, want := now&^both, now&both, uint64(apicEnabled)
	if x2 {
		want = both
	}
	switch {
	case mode == 0 && x2:
		t.add(rest | apicEnabled)
	case mode == both && !x2:
		t.add(rest)
	}
	if mode != want {
		t.add(rest | want)
	}
}

func (t *turns) add(value uint64) {
	t.at[t.count] = value
	t.count++
}

// EndInterrupt tells the LAPIC that the interrupt in service is dealt with.
func EndInterrupt() { store(lapic.LAPIC_EOI, 0) }

// send writes one command to the CPU with an APIC id. Interrupts are off in
// kernel context, so the two halves of the older mode stay together.
func send(apic, command uint32) {
	var s steps
	s.command(apic, command, x2APIC)
	for !x2APIC && load(lapic.LAPIC_ICRL)&startupPending != 0 {
		pause()
	}
	s.run()
}

// command is one write in x2APIC mode. It is not ordered behind what was written
// to memory before, which the other CPU is to find there.
func (s *steps) command(apic, command uint32, x2 bool) {
	if x2 {
		s.add(lapic.LAPIC_ICRL, uint64(apic)<<32|uint64(command))
		s.at[0].fenced = true
		return
	}
	s.add(lapic.LAPIC_ICRH, uint64(apic)<<lapic.ID)
	s.add(lapic.LAPIC_ICRL, uint64(command))
}

// Kick interrupts the CPU with an APIC id, so that it makes a pass.
func Kick(apic uint32) { send(apic, levelAssert|KickVector) }

// Flush interrupts the CPU with an APIC id, so that it flushes its TLB.
func Flush(apic uint32) { send(apic, levelAssert|FlushVector) }

// NMI sends the CPU with an APIC id a non-maskable interrupt.
func NMI(apic uint32) { send(apic, levelAssert|deliverNMI) }
