package boot

import "unsafe"

// Interrupt stacks of the task state segment. Every vector uses one: a frame
// pushed without a switch would land on the running goroutine's stack, which
// may itself not be mapped yet.
const (
	// InterruptStack serves every vector but the three below.
	InterruptStack = 1
	// NMIStack serves the non-maskable interrupt.
	NMIStack = 2
	// DoubleFaultStack serves the double fault.
	DoubleFaultStack = 3
	// MachineCheckStack serves the machine check.
	MachineCheckStack = 4
)

// Selectors of [Segments].
const (
	// CodeSelector is the kernel's 64-bit code segment; programs use it too.
	CodeSelector = 0x08
	// DataSelector is the flat data segment.
	DataSelector = 0x10
	taskSelector = 0x18
)

// Segments are the descriptor tables of one CPU: flat segments, and a task
// state segment that only names interrupt stacks. They stay where they are
// while the CPU uses them.
type Segments struct {
	descriptors [5]uint64
	task        [104]byte
	pseudo      [10]byte
}

// Init fills the tables; stacks[i] is the top of interrupt stack i+1.
func (s *Segments) Init(stacks *[4]uintptr) {
	s.descriptors[CodeSelector/8] = 0x00209a0000000000
	s.descriptors[DataSelector/8] = 0x0000920000000000
	base := uint64(uintptr(unsafe.Pointer(&s.task)))
	const limit, available = 103, 0x89
	s.descriptors[taskSelector/8] = limit | base&0xffffff<<16 | available<<40 | base>>24&0xff<<56
	s.descriptors[taskSelector/8+1] = base >> 32
	for i, top := range stacks {
		const firstStack = 36
		store64(s.task[:], firstStack+8*i, uint64(top))
	}
	const mapBase = 102
	s.task[mapBase] = limit + 1 // no port map
	pseudo(&s.pseudo, unsafe.Pointer(&s.descriptors), unsafe.Sizeof(s.descriptors))
}

// Load puts the tables in force on the calling CPU.
func (s *Segments) Load() {
	loadGDT(&s.pseudo)
	loadTask(taskSelector)
}

// gates is the one interrupt descriptor table, shared by all CPUs.
var (
	gates      [256][2]uint64
	gatePseudo [10]byte
)

// SetGate makes an interrupt vector enter at an address on an interrupt stack,
// with interrupts off.
func SetGate(vector int, entry uintptr, stack int) {
	const interruptGate = 0x8e
	address := uint64(entry)
	gates[vector][0] = address&0xffff | CodeSelector<<16 | uint64(stack)<<32 | interruptGate<<40 | address>>16&0xffff<<48
	gates[vector][1] = address >> 32
}

// LoadGates puts the interrupt descriptor table in force on the calling CPU.
func LoadGates() {
	pseudo(&gatePseudo, unsafe.Pointer(&gates), unsafe.Sizeof(gates))
	loadIDT(&gatePseudo)
}

// pseudo writes a pseudo-descriptor: the limit, then the address.
func pseudo(to *[10]byte, table unsafe.Pointer, size uintptr) {
	to[0], to[1] = byte(size-1), byte((size-1)>>8)
	store64(to[:], 2, uint64(uintptr(table)))
}

func store64(to []byte, at int, value uint64) {
	for i := 0; i < 8; i++ {
		to[at+i] = byte(value >> (8 * i))
	}
}

// MaskPIC silences the legacy interrupt controllers, whose first vector would
// look like a double fault.
func MaskPIC() {
	Out8(0x21, 0xff)
	Out8(0xa1, 0xff)
}
