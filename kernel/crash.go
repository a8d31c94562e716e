package kernel

import (
	"hearth/boot"
	"sync/atomic"
	"unsafe"
)

// crashed is set by the first CPU that writes a crash record; the record is
// one, and the machine ends with it.
var crashed atomic.Uint32

// stopAt and stopLength are the text that crash was called with: an address,
// since a string stored here would need the collector's write barrier.
var stopAt, stopLength uintptr

// crash ends the machine because the kernel itself found something wrong. It
// goes through a breakpoint, so that the record has the caller's registers.
//
//go:noinline
func crash(reason string) {
	stopAt, stopLength = uintptr(unsafe.Pointer(unsafe.StringData(reason))), uintptr(len(reason))
	breakpoint()
}

func breakpoint()

// onFault writes the crash record of a fault in kernel context, whose
// registers are in the CPU's block.
func onFault() {
	c := me()
	if !crashed.CompareAndSwap(0, 1) {
		// Another CPU is writing, or this one failed while it did.
		if c.mode == inCrash {
			boot.ExitCrash()
		}
		for {
			boot.Halt()
		}
	}
	c.mode = inCrash
	consoleLock.lockBounded()
	c.writeRecord()
	dumpTrace()
	boot.ExitCrash()
}

// inCrash is the mode of a CPU that writes a crash record.
const inCrash = 3
