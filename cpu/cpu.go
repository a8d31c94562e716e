// Package cpu says what a CPU is: dense ids, masks, topology (SMT, LLC domain,
// node, package) decoded from CPUID and ACPI words, and search orders.
//
// The package is pure: it executes no privileged or identifying instruction,
// it interprets words that others read. Everything that the kernel calls is
// restricted Go: no allocation, no map, no interface, state in fixed arrays.
// Files whose names end in _text are for programs and hosts only.
package cpu

// Max is the largest number of CPUs that a machine may bring up; every array
// indexed by ID has this length.
const Max = 1024

// ID is the dense number of a CPU: 0 is the boot CPU, the others follow without
// holes in the order in which firmware listed them. It is never an APIC id.
type ID int32

// None stands where there is no CPU.
const None ID = -1

// fault is the type of the static values that a violated precondition panics
// with; a pointer to one converts to an interface without allocating.
type fault struct{ text string }

// Error returns the precondition that was violated.
func (f *fault) Error() string { return f.text }
