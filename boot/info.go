package boot

import "hearth/cpu"

// MaxRanges is how many ranges of RAM are kept of the firmware's map.
const MaxRanges = 128

// MaxCommandLine is how many bytes of the kernel command line are kept.
const MaxCommandLine = 4096

// Range is a half-open range of physical addresses.
type Range struct{ Start, End uint64 }

// FirmwareCPU is a CPU that the firmware lists as enabled.
type FirmwareCPU struct {
	APICID uint32
	UID    uint32 // ACPI's processor id, which names the CPU in other tables
}

// Info describes the machine as boot found it. The parsers fill it before the
// first Go program runs; later it is read only. It is some 15 KB of static data.
type Info struct {
	CommandLine       [MaxCommandLine]byte // kernel command line; ParseCommandLine unquotes it in place
	CommandLineLength int                  // bytes used of CommandLine
	CommandLineCut    bool                 // it was longer than MaxCommandLine

	// Memory is the usable RAM: MemoryCount ranges, ascending, disjoint, not
	// adjacent, free of everything that the firmware lists as anything but RAM.
	Memory        [MaxRanges]Range
	MemoryCount   int
	MemoryLeftOut int // ranges of RAM that found no room in Memory

	// CPUs are the enabled CPUs: CPUCount of them, the boot CPU first, the
	// others in the order of the MADT. Entry i becomes the CPU with id i if all
	// of them start.
	CPUs         [cpu.Max]FirmwareCPU
	CPUCount     int
	CPUsDisabled int    // listed but not enabled
	CPUsLeftOut  int    // enabled, but beyond cpu.Max
	LAPICBase    uint64 // physical address of the local APIC, 0: no MADT

	RSDP uint64 // physical address of ACPI's root pointer, 0: none found

	PMTimerPort uint16 // I/O port of the ACPI timer of 3,579,545 Hz, 0: none
	PMTimer32   bool   // it counts 32 bits, else 24
	HPETBase    uint64 // physical address of the HPET's registers, 0: none
	HPETPeriod  uint64 // length of its tick in femtoseconds, read by the caller

	ResetSpace   AddressSpace // where ResetAddress lies
	ResetAddress uint64       // the ACPI reset register
	ResetValue   uint8        // write it there to reset the machine

	TSCHz     uint64      // rate of the TSC
	TSCSource ClockSource // what TSCHz was measured against
}

// AddressSpace says how a firmware register is reached.
type AddressSpace uint8

// The address spaces of the reset register.
const (
	NoSpace     AddressSpace = iota // no such register
	MemorySpace                     // physical memory
	PortSpace                       // an I/O port
)

// Problem is what a parser found wrong, as a value that needs no memory.
type Problem uint8

// The problems that firmware tables can have. None of them stops the machine by
// itself; what the parser could read is filled in.
const (
	NoProblem Problem = iota
	BadStartInfo
	BadMemoryMap
	NoRSDP
	BadRSDP
	BadRootTable
	NoMADT
	BadMADT
	BootCPUNotListed
	BadFADT
	BadHPET
)

// Text returns the problem as a line for the log, "" for NoProblem.
func (p Problem) Text() string {
	switch p {
	case BadStartInfo:
		return "the boot loader's start info has no valid magic number or version"
	case BadMemoryMap:
		return "the boot loader passed no usable memory map"
	case NoRSDP:
		return "no ACPI root pointer: one CPU, no timers"
	case BadRSDP:
		return "the ACPI root pointer is not valid"
	case BadRootTable:
		return "the ACPI root table is not valid"
	case NoMADT:
		return "ACPI lists no MADT: one CPU"
	case BadMADT:
		return "the ACPI MADT is not valid: the CPUs before the fault are used"
	case BootCPUNotListed:
		return "the ACPI MADT does not list the boot CPU"
	case BadFADT:
		return "the ACPI FADT is not valid: no PM timer"
	case BadHPET:
		return "the ACPI HPET table is not valid: no HPET"
	}
	return ""
}
