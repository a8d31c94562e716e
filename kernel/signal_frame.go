package kernel

import (
	"hearth/boot"
	"unsafe"
)

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
