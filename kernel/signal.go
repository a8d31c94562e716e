package kernel

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/smp"
	"math/bits"
	"unsafe"
)

// Signals that the kernel raises, their codes, and how Linux numbers them.
const (
	sigILL   = 4
	sigTRAP  = 5
	sigBUS   = 7
	sigFPE   = 8
	sigSEGV  = 11
	sigCHLD  = 17
	sigCONT  = 18
	sigURG   = 23
	sigWINCH = 28

	illOperand        = 2
	trapTrace         = 2
	busAlignment      = 1
	fpeIntegerDivide  = 1
	fpeFloatDivide    = 3
	fpeFloatOverflow  = 4
	fpeFloatUnderflow = 5
	fpeFloatInexact   = 6
	fpeFloatInvalid   = 7
	segvMapError      = 1
	segvAccess        = 2
	fromKernel        = 0x80
	fromTgkill        = -6

	handlerDefault = 0
	handlerIgnore  = 1
	signals        = 64
)

// action is what rt_sigaction sets, in Linux's layout.
type action struct{ handler, flags, restorer, mask uint64 }

const (
	actionSize   = 32
	onStack      = 0x08000000
	noDefer      = 0x40000000
	disabled     = 2
	kernelSignal = 1<<(9-1) | 1<<(19-1) // KILL and STOP cannot be masked
)

// actions are process 1's. Its contexts run on many CPUs, so a lock guards it.
var (
	actions     [signals + 1]action
	actionsLock spinLock
)

func sigaction(f *frame) int64 {
	number, set, old := f.di, uintptr(f.si), uintptr(f.dx)
	if number == 0 || number > signals || f.r10 != 8 {
		return -eINVAL
	}
	var next action
	if set != 0 && !programSpace.copyIn(unsafe.Pointer(&next), set, actionSize) {
		return -eFAULT
	}
	actionsLock.lock()
	last := actions[number]
	if set != 0 {
		actions[number] = next
	}
	actionsLock.unlock()
	if old != 0 && !programSpace.copyOut(old, unsafe.Pointer(&last), actionSize) {
		return -eFAULT
	}
	return 0
}

// sigmask is rt_sigprocmask.
func sigmask(x *context, f *frame) int64 {
	const block, unblock, set = 0, 1, 2
	if f.r10 != 8 {
		return -eINVAL
	}
	last := x.masked
	if f.si != 0 {
		var mask uint64
		if !programSpace.copyIn(unsafe.Pointer(&mask), uintptr(f.si), 8) {
			return -eFAULT
		}
		switch f.di {
		case block:
			x.masked |= mask
		case unblock:
			x.masked &^= mask
		case set:
			x.masked = mask
		default:
			return -eINVAL
		}
		x.masked &^= kernelSignal
	}
	if f.dx != 0 && !programSpace.copyOut(uintptr(f.dx), unsafe.Pointer(&last), 8) {
		return -eFAULT
	}
	return 0
}

// alternateStack is struct stack_t.
type alternateStack struct {
	base  uint64
	flags uint32
	_     uint32
	size  uint64
}

// sigaltstack sets or tells where signal frames go.
func sigaltstack(x *context, f *frame) int64 {
	if f.si != 0 {
		old := x.alternate()
		if !programSpace.copyOut(uintptr(f.si), unsafe.Pointer(&old), unsafe.Sizeof(old)) {
			return -eFAULT
		}
	}
	if f.di != 0 {
		var next alternateStack
		if !programSpace.copyIn(unsafe.Pointer(&next), uintptr(f.di), unsafe.Sizeof(next)) {
			return -eFAULT
		}
		x.setAlternate(&next)
	}
	return 0
}

func (x *context) alternate() alternateStack {
	s := alternateStack{base: uint64(x.stackBase), size: uint64(x.stackSize)}
	if x.stackSize == 0 {
		s.flags = disabled
	}
	return s
}

func (x *context) setAlternate(s *alternateStack) {
	x.stackBase, x.stackSize = uintptr(s.base), uintptr(s.size)
	if s.flags&disabled != 0 {
		x.stackBase, x.stackSize = 0, 0
	}
}

// tgkill makes a signal pending for one context and makes its CPU look.
func (c *perCPU) tgkill(target process.ContextID, number uint64) int64 {
	if number > signals {
		return -eINVAL
	}
	if target < 1 || target > process.MaxContexts || scheduler.Table.Context(target).State() == process.New {
		return -eSRCH
	}
	if number == 0 {
		return 0
	}
	contextAt(target).pending.Or(1 << (number - 1))
	if target != c.context() {
		prod(target)
	}
	return 0
}

// prod makes the CPU that runs a context enter the kernel, where it looks for
// signals. The caller has made one pending: either that CPU is seen running
// the context here, or its next dispatch of it sees the signal.
func prod(target process.ContextID) {
	x := scheduler.Table.Context(target)
	if home := x.Home(); x.State() == process.Running && home != cpu.None {
		smp.Kick(cpuAt(home).apic)
	}
}

// deliverPending delivers the lowest of the ready signals; the others follow
// when its handler returns, since the handler's mask covers them or not.
func (c *perCPU) deliverPending(x *context, ready uint64) {
	number := bits.TrailingZeros64(ready) + 1
	x.pending.And(^uint64(1 << (number - 1)))
	a := actions[number]
	switch {
	case a.handler == handlerIgnore, a.handler == handlerDefault && ignoredByDefault(number):
	case a.handler == handlerDefault:
		killed(x, number, 0)
	default:
		c.deliver(x, number, fromTgkill, 0)
	}
}

func ignoredByDefault(number int) bool {
	return number == sigCHLD || number == sigCONT || number == sigURG || number == sigWINCH
}

// raise delivers a signal for what the program just did. A program that masks
// or ignores such a signal ends, as on Linux.
func (c *perCPU) raise(x *context, number int, code int32, address uintptr) {
	if x.masked>>(number-1)&1 != 0 || actions[number].handler <= handlerIgnore {
		killed(x, number, address)
	}
	c.deliver(x, number, code, address)
}

// killed ends the image because of a signal that nobody handles.
func killed(x *context, number int, address uintptr) {
	consoleLock.lock()
	put("hearth: error: the program was ended by signal ")
	putDecimal(uint64(number))
	put(" at ")
	putHex(x.frame.ip)
	put(" address ")
	putHex(uint64(address))
	put("\n")
	consoleLock.unlock()
	exitImage(128 + int32(number))
}
