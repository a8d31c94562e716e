package kernel

import (
	"hearth/boot"
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
	sigFPE   = 8
	sigSEGV  = 11
	sigCHLD  = 17
	sigCONT  = 18
	sigURG   = 23
	sigWINCH = 28

	illOpcode        = 1
	trapBreakpoint   = 1
	fpeIntegerDivide = 1
	fpeFloatInvalid  = 7
	segvMapError     = 1
	segvKernel       = 0x80
	fromTgkill       = -6

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

// signalFrame is what the handler finds on its stack, in Linux's layout: the
// return address, siginfo, ucontext; the extended state stands above it,
// aligned to 64 bytes.
type signalFrame struct {
	restorer                           uint64
	info                               [16]uint64 // siginfo
	flags                              uint64     // ucontext
	link                               uint64
	stack                              alternateStack
	r                                  [8]uint64 // r8 to r15
	di, si, bp, bx, dx, ax, cx, sp, ip uint64
	eflags                             uint64
	segments                           uint64
	code                               uint64
	vector                             uint64
	oldMask                            uint64
	fault                              uint64
	extended                           uint64 // address of the saved extended state, 0: none
	controls                           uint64 // without one: MXCSR and the x87 control word
	resume                             uint64
	_                                  [6]uint64
	mask                               uint64
	_                                  [1]uint64
}

// redZone is what a leaf function may use below its stack pointer.
const redZone = 128

// deliver builds a signal frame and points the context at the handler.
func (c *perCPU) deliver(x *context, number int, code int32, address uintptr) {
	c.counts.signals++
	f, a := &x.frame, actions[number]
	var s signalFrame
	s.restorer = a.restorer
	s.info[0] = uint64(number)
	s.info[1] = uint64(uint32(code))
	s.info[2] = uint64(address)
	s.stack = x.alternate()
	s.save(f)
	s.code, s.vector, s.fault = c.code, c.vector, uint64(address)
	s.mask, s.oldMask = x.masked, x.masked

	top := uintptr(f.sp) - redZone
	if a.flags&onStack != 0 && !x.onAlternate(uintptr(f.sp)) {
		top = x.stackBase + x.stackSize
	}
	at := (top - extendedSize) &^ 63
	if f.resume == resumeFull {
		s.extended = uint64(at)
		if !programSpace.copyOut(at, unsafe.Pointer(f.extended), extendedSize) {
			killed(x, number, address)
		}
	}
	// The handler is entered as if called: the stack is 8 off 16.
	at = (at-unsafe.Sizeof(s))&^15 - 8
	if !programSpace.copyOut(at, unsafe.Pointer(&s), unsafe.Sizeof(s)) {
		killed(x, number, address)
	}
	x.masked |= a.mask &^ kernelSignal
	if a.flags&noDefer == 0 {
		x.masked |= 1 << (number - 1)
	}
	f.enterHandler(a.handler, at, number)
}

// enterHandler makes the frame call handler(number, &info, &context) with
// fresh floating-point controls.
func (f *frame) enterHandler(handler uint64, at uintptr, number int) {
	const info, ucontext = 8, 8 + 128
	f.ip, f.sp = handler, uint64(at)
	f.di, f.si, f.dx = uint64(number), uint64(at+info), uint64(at+ucontext)
	f.ax = 0
	f.flags = programFlags
	f.resume = resumeCall
	f.mxcsr, f.fcw = defaultMXCSR, defaultFCW
}

func (x *context) onAlternate(sp uintptr) bool {
	return x.stackSize == 0 || sp > x.stackBase && sp <= x.stackBase+x.stackSize
}

// save copies the registers into the signal frame.
func (s *signalFrame) save(f *frame) {
	s.r = [8]uint64{f.r8, f.r9, f.r10, f.r11, f.r12, f.r13, f.r14, f.r15}
	s.di, s.si, s.bp, s.bx, s.dx, s.ax, s.cx = f.di, f.si, f.bp, f.bx, f.dx, f.ax, f.cx
	s.sp, s.ip, s.eflags = f.sp, f.ip, f.flags
	s.segments = boot.CodeSelector | boot.DataSelector<<48
	s.controls = uint64(f.mxcsr) | uint64(f.fcw)<<32
	s.resume = f.resume
}

// sigreturn goes back to what a handler interrupted, or to where the handler
// has pointed the saved registers.
func (c *perCPU) sigreturn(x *context) {
	f := &x.frame
	var s signalFrame
	// The handler's return popped the restorer's address.
	if !programSpace.copyIn(unsafe.Pointer(&s), uintptr(f.sp)-8, unsafe.Sizeof(s)) {
		killed(x, sigSEGV, uintptr(f.sp))
	}
	x.masked = s.mask &^ kernelSignal
	s.load(f)
	if s.extended == 0 {
		f.mxcsr, f.fcw = uint32(s.controls), uint16(s.controls>>32)
		storeControls(f)
		return
	}
	if !programSpace.copyIn(unsafe.Pointer(f.extended), uintptr(s.extended), extendedSize) {
		killed(x, sigSEGV, uintptr(s.extended))
	}
	tameExtended(f.extended)
}

// load copies the registers back. A handler may have changed any of them, so
// all are restored, through the full way back.
func (s *signalFrame) load(f *frame) {
	f.r8, f.r9, f.r10, f.r11, f.r12, f.r13, f.r14, f.r15 = s.r[0], s.r[1], s.r[2], s.r[3], s.r[4], s.r[5], s.r[6], s.r[7]
	f.di, f.si, f.bp, f.bx, f.dx, f.ax, f.cx = s.di, s.si, s.bp, s.bx, s.dx, s.ax, s.cx
	f.sp, f.ip = s.sp, s.ip
	const changeable = 0x8d5 // the arithmetic flags; DF stays clear, TF too
	f.flags = programFlags | s.eflags&changeable
	f.resume = resumeFull
}

// storeControls makes the full way back restore just the floating-point
// controls: a context that was in a system call had nothing else to keep.
func storeControls(f *frame) {
	const control, mxcsr, present, compacted = 0, 24, 512, 520
	store16(f.extended+control, f.fcw)
	store32(f.extended+mxcsr, f.mxcsr&mxcsrMask)
	const legacy = 3
	store64(f.extended+present, load64(f.extended+present)&extendedStates|legacy)
	store64(f.extended+compacted, 0)
}

// mxcsrMask is what MXCSR may hold.
const mxcsrMask = 0xffff

// tameExtended makes an extended state that a program wrote safe to load: a
// reserved bit would fault in the kernel.
func tameExtended(area uintptr) {
	const mxcsr, present, compacted, reserved = 24, 512, 520, 528
	store32(area+mxcsr, load32(area+mxcsr)&mxcsrMask)
	store64(area+present, load64(area+present)&extendedStates)
	store64(area+compacted, 0)
	clearWords(area+reserved, 48)
}
