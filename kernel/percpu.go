package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"sync/atomic"
	"time"
	"unsafe"
)

// What a CPU is doing, for the entries: see perCPU.mode.
const (
	inProgram = 0 // an entry saves into the current frame
	inKernel  = 1 // an exception is a fault of the kernel
	inHalt    = 2 // an interrupt only ends the halt
	inThrow   = 3 // it has failed: the runtime says why
	inCrash   = 4 // it has failed, for good
	inStopped = 5 // its registers are saved for another's crash record
)

// perCPU is what one CPU has to itself. GS base points to it for good; the
// assembly reads the first group by field offset. It is never moved, and
// nothing in it is a Go pointer.
type perCPU struct {
	self       uintptr
	programSP  uintptr // stack pointer of a program entering by SYSCALL
	stackTop   uintptr // kernel stack
	current    uintptr // address of the running context's frame
	kernelFS   uintptr // FS base of kernel code: the slot below points to g
	mode       uint64
	woken      uint64 // set by the light interrupt entry: bit n for vector 64+n
	vector     uint64 // of the interrupt being handled
	code       uint64 // its error code
	faultStack uintptr
	faultFS    uintptr
	scratch    uintptr

	id         cpu.ID
	slot       int // its place in the firmware's list, which numbers its stacks
	apic       uint32
	echo       atomic.Uint64 // token of the start-up protocol
	entry      time.Duration // when the kernel was entered
	kind       int32         // what for (length.go), and the TSC then
	beganTicks uint64
	alarm      time.Duration // what the one-shot is set to, < 0: nothing
	ahead      uint64        // its TSC, of the boot CPU's, in ticks
	root       uint64        // page tables in force

	// The TLB flush that this CPU made last (flush.go), and whether it has
	// promised not to touch program memory before it looks for the next.
	done      atomic.Uint64
	quiescent atomic.Uint32

	order   atomic.Uint32 // what the boot CPU wants of it at bring-up (secondary.go)
	halts   uint64        // while it waited for that
	meeting tscMeeting

	counts   counters
	actions  sched.Actions
	view     sched.View
	lengths  [kinds]lengths
	trace    ring
	leaves   cpu.Leaves
	segments boot.Segments
	failure
	watch
	injection

	tls      [16]uint64
	faultTLS [16]uint64
	g        [64]uint64
	faultG   [64]uint64
	m        [512]uint64 // behind the kernel's g
}

// counters are the CPU's own event counts; sched keeps those of its decisions.
type counters struct {
	syscalls, faults, signals uint64
}

// emptyM stands behind the g of every CPU's fault path.
var emptyM [512]uint64

// perCPUs holds the address of every CPU's block; bootCPU is the first one's,
// static because it is needed before the tables that reach RAM.
var (
	perCPUs [cpu.Max]uintptr
	bootCPU perCPU
)

// me returns the calling CPU's block.
func me() *perCPU

//go:nocheckptr
func cpuAt(id cpu.ID) *perCPU { return (*perCPU)(unsafe.Pointer(perCPUs[id])) }

// Stacks of a CPU, in the order of its numbers for boot.MapStack: the kernel's
// own, then the four of the interrupt stack table.
const (
	stacksPerCPU  = 5
	kernelStack   = 32 << 10
	interruptSize = 16 << 10
)

// init fills the block of the CPU that the firmware lists in a slot and that is to
// have an id, makes its stacks, and reports false when RAM is out.
func (c *perCPU) init(id cpu.ID, slot int, apic uint32) bool {
	c.self = uintptr(unsafe.Pointer(c))
	c.id, c.slot, c.apic = id, slot, apic
	c.mode = inKernel
	c.alarm = -1
	perCPUs[id] = c.self
	c.stackTop = boot.MapStack(slot*stacksPerCPU, kernelStack)
	if c.stackTop == 0 {
		return false
	}
	var stacks [4]uintptr
	for i := range stacks {
		stacks[i] = boot.MapStack(slot*stacksPerCPU+1+i, interruptSize)
		if stacks[i] == 0 {
			return false
		}
	}
	c.segments.Init(&stacks)
	c.faultStack = stacks[0]
	// A runtime that gives up in kernel context prints why only on what it takes
	// for a g0.
	c.m[mSystemG] = uint64(uintptr(unsafe.Pointer(&c.g)))
	c.kernelFS = standIn(&c.g, &c.tls, &c.m, c.stackTop-kernelStack, c.stackTop)
	// The fault path may run on any of the CPU's stacks, so its g bounds none.
	c.faultFS = standIn(&c.faultG, &c.faultTLS, &emptyM, 0, ^uintptr(0))
	return true
}

// Words of a runtime g and m that compiled code reads (facts of Go 1.26).
const (
	gStackLow   = 0
	gStackHigh  = 1
	gGuard      = 2
	gSystemGard = 3
	gM          = 6
	mSystemG    = 0
	stackGuard  = 928 // what a function without a frame check may use below the guard
)

// standIn makes a g for kernel code and returns the FS base that leads to it.
func standIn(g *[64]uint64, tls *[16]uint64, m *[512]uint64, low, high uintptr) uintptr {
	g[gStackLow] = uint64(low)
	g[gStackHigh] = uint64(high)
	g[gGuard] = uint64(low + stackGuard)
	g[gSystemGard] = uint64(low + stackGuard)
	g[gM] = uint64(uintptr(unsafe.Pointer(m)))
	const slot = 7
	tls[slot] = uint64(uintptr(unsafe.Pointer(g)))
	return uintptr(unsafe.Pointer(&tls[slot+1]))
}

// context returns the running context's number, 0 when the CPU idles.
func (c *perCPU) context() process.ContextID { return scheduler.Current(c.id) }
