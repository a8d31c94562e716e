package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"sync/atomic"
	"unsafe"
)

// A crash ends the machine with one record, which the first CPU to fail writes;
// it stops all others first and shows where each of them was.
//
// The assembly saves the registers of a CPU's first failure in its block (fault)
// and makes the CPU's mode inCrash; whatever goes wrong on that CPU later is
// saved beside it (nested), so that the record keeps what began it.

// crashed is set by the first CPU that fails.
var crashed atomic.Uint32

// What a CPU has come to since it failed: see perCPU.phase.
const (
	phaseThrowing = 1 // the runtime prints why it gave up
	phaseWriting  = 2 // the record is being written
)

// failuresMost is how often a CPU may fail before it ends the machine without a
// record. Each section of the record may fail, but these are in truth very few.
const failuresMost = 200

// For the assembly.
const (
	crashValue = boot.ExitCrashValue
	exitPort   = boot.ExitPort
)

// failure is a CPU's side of a crash record.
type failure struct {
	count    uint64 // failures so far
	was      uint64 // mode in which it failed or was stopped
	fault    frame  // its registers then
	nested   frame  // registers of what went wrong after that
	goBack   uintptr
	phase    uint64
	section  int // of the record, that is being written
	stopped  atomic.Uint32
	said     [saidMost]byte // by the runtime, before it gave up
	saidSize int
}

// stopAt and stopLength are the text that crash was called with: an address,
// since a string stored here would need the collector's write barrier. stopAbout
// is the CPU that it is about, plus 1.
var (
	stopAt, stopLength uintptr
	stopAbout          int
)

// crash ends the machine because the kernel itself found something wrong. It
// goes through a breakpoint, so that the record has the caller's registers.
//
//go:noinline
func crash(reason string) {
	stopAt, stopLength = uintptr(unsafe.Pointer(unsafe.StringData(reason))), uintptr(len(reason))
	breakpoint()
}

// crashAbout is crash for what is wrong with a CPU; the reason goes on after the
// CPU's name.
//
//go:noinline
func crashAbout(id cpu.ID, reason string) {
	stopAbout = int(id) + 1
	stopAt, stopLength = uintptr(unsafe.Pointer(unsafe.StringData(reason))), uintptr(len(reason))
	breakpoint()
}

func breakpoint()

// onFault deals with a fault in kernel context, an exception that no program may
// survive, or a non-maskable interrupt. It returns only where the runtime is to
// go on printing, to goBack.
func onFault() {
	c := me()
	if c.phase == phaseWriting {
		c.section++ // this one cannot be written
		c.writeTrouble()
		c.writeRecord()
	}
	if c.goesOnThrowing() {
		return
	}
	c.phase = phaseWriting
	c.mode = inCrash
	if !c.isOnline() || !crashed.CompareAndSwap(0, 1) {
		c.stop()
	}
	ending.Store(true)
	c.stopOthers()
	c.writeRecord()
}

// isOnline reports whether the CPU is one of the machine's: one that stayed silent
// too long is not, though it can be hit by a non-maskable interrupt.
func (c *perCPU) isOnline() bool {
	return c.id == 0 || int(c.id) < onlineCount && perCPUs[c.id] == c.self
}

// stop ends a CPU that another one's record will show.
func (c *perCPU) stop() {
	c.mode = inStopped
	c.stopped.Store(1)
	for {
		boot.Halt()
	}
}
