package smp

import "unsafe"

// A LAPIC's registers are reached by memory that every CPU sees its own at, or, in
// x2APIC mode, by model-specific registers. All CPUs use the same way.
var (
	x2APIC bool
	base   uintptr
)

// X2APIC reports whether the CPUs are driven in x2APIC mode.
func X2APIC() bool { return x2APIC }

// EOIRegister is the address of the end-of-interrupt register, for the light
// interrupt entry of an idle CPU, which is assembly; 0 in x2APIC mode.
var EOIRegister uintptr

// Registers by offset; TamaGo's package names the others.
const (
	registerTask         = 0x80
	registerLINT1        = 0x360
	registerInitialCount = 0x380
	registerCurrentCount = 0x390
	registerDivide       = 0x3e0
)

// msrOf returns the model-specific register that stands for the register at an
// offset (Intel SDM 3A, table 10-6).
func msrOf(register uintptr) uint32 { return 0x800 + uint32(register>>4) }

// load reads a register. Mapped ones are no memory of Go's, and host tests are not
// to take them for it.
//
//go:nocheckptr
func load(register uintptr) uint32 {
	if x2APIC {
		return uint32(readMSR(msrOf(register)))
	}
	return *(*uint32)(unsafe.Pointer(base + register))
}

// store writes a register.
func store(register uintptr, value uint32) { write(register, uint64(value)) }

//go:nocheckptr
func write(register uintptr, value uint64) {
	if x2APIC {
		writeMSR(msrOf(register), value)
		return
	}
	*(*uint32)(unsafe.Pointer(base + register)) = uint32(value)
}

// step is one write of an operation on the LAPIC; fenced if everything that was
// written to memory before must be seen before it.
type step struct {
	register uintptr
	value    uint64
	fenced   bool
}

// steps are the writes of an operation, in order.
type steps struct {
	count int
	at    [4]step
}

func (s *steps) add(register uintptr, value uint64) {
	s.at[s.count] = step{register: register, value: value}
	s.count++
}

func (s *steps) run() {
	for i := 0; i < s.count; i++ {
		if s.at[i].fenced {
			fence()
		}
		write(s.at[i].register, s.at[i].value)
	}
}
