package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"unsafe"
)

func (c *perCPU) writeRecord() {
	f := &c.fault
	put("\nhearth: crash begin\n")
	field("what")
	put(c.whatHappened())
	put("\n")
	if c.vector == vectorThrow {
		c.writeThrow()
	}
	number("cpu", uint64(c.id))
	number("vector", c.vector)
	word("error", c.code)
	writeRegisters(f)
	number("context", uint64(c.context()))
	number("thread", uint64(scheduler.Table.Context(c.context()).Thread()))
	writePath(uintptr(f.bp))
	writeStack(uintptr(f.sp))
	writeCode(uintptr(f.ip))
	for id := 0; id < onlineCount; id++ {
		writeCPU(cpuAt(cpu.ID(id)))
	}
	put("hearth: crash end\n")
}

func (c *perCPU) whatHappened() string {
	switch c.vector {
	case vectorBreakpoint:
		if stopAt != 0 {
			return unsafe.String((*byte)(unsafe.Pointer(stopAt)), stopLength)
		}
	case vectorThrow:
		return "a Go panic or throw in kernel context"
	case vectorDivide:
		return "division by zero in kernel context"
	case vectorNMI:
		return "non-maskable interrupt"
	case vectorDouble:
		return "double fault, most likely a kernel stack that overflowed into its guard page"
	case vectorPage:
		return "page fault in kernel context"
	case vectorCheck:
		return "machine check"
	}
	return "exception in kernel context"
}

// writeThrow writes the text that the runtime was about to print.
func (c *perCPU) writeThrow() {
	field("said")
	if f := &c.fault; f.ax == callWrite && inKernelMemory(uintptr(f.si)) && inKernelMemory(uintptr(f.si+f.dx)) {
		putBytes(uintptr(f.si), int(min(f.dx, 200)))
	}
	put("\n")
}

func field(name string) {
	put("crash: ")
	put(name)
	put(" ")
}

func word(name string, value uint64) {
	field(name)
	putHex(value)
	put("\n")
}

func number(name string, value uint64) {
	field(name)
	putDecimal(value)
	put("\n")
}

func writeRegisters(f *frame) {
	word("rip", f.ip)
	word("rsp", f.sp)
	word("rflags", f.flags)
	word("cr2", boot.ReadCR2())
	word("cr3", boot.ReadCR3())
	word("rax", f.ax)
	word("rbx", f.bx)
	word("rcx", f.cx)
	word("rdx", f.dx)
	word("rsi", f.si)
	word("rdi", f.di)
	word("rbp", f.bp)
	word("r8", f.r8)
	word("r9", f.r9)
	word("r10", f.r10)
	word("r11", f.r11)
	word("r12", f.r12)
	word("r13", f.r13)
	word("r14", f.r14)
	word("r15", f.r15)
	word("fs", f.fs)
}

// writePath follows the frame pointers: each is followed by the address to
// which the function returns.
func writePath(bp uintptr) {
	for depth := uint64(0); depth < 32 && readable(bp) && readable(bp+8); depth++ {
		field("frame")
		putDecimal(depth)
		put(" ")
		putHex(load64(bp + 8))
		put("\n")
		next := uintptr(load64(bp))
		if next <= bp {
			return
		}
		bp = next
	}
}

func writeStack(sp uintptr) {
	sp &^= 7
	for line := 0; line < 8 && readable(sp) && readable(sp+24); line++ {
		field("stack")
		putHex(uint64(sp))
		put(":")
		for i := uintptr(0); i < 4; i++ {
			put(" ")
			putHex(load64(sp + 8*i))
		}
		put("\n")
		sp += 32
	}
}

func writeCode(ip uintptr) {
	field("code")
	for i := uintptr(0); i < 16 && inKernelMemory(ip+i); i++ {
		putHexDigits(uint64(*(*byte)(unsafe.Pointer(ip + i))), 2)
		put(" ")
	}
	put("\n")
}

// writeCPU writes what others see of a CPU and its newest trace records.
func writeCPU(c *perCPU) {
	field("handle")
	putDecimal(uint64(c.id))
	put(" apic ")
	putDecimal(uint64(c.apic))
	put(" mode ")
	putDecimal(c.mode)
	put(" context ")
	putDecimal(uint64(c.context()))
	put(" ")
	writeHandle(c.id)
	put("\n")
	r := &c.trace
	for i := r.count - min(r.count, 32); i < r.count; i++ {
		writeTraceRecord(&r.records[i%ringSize])
	}
}

func writeHandle(id cpu.ID) {
	face := scheduler.Look(id)
	put("load ")
	putDecimal(uint64(face.Load))
	put(" background ")
	putDecimal(uint64(face.Background))
	put(" surplus ")
	putDecimal(uint64(face.Surplus))
	put(" state ")
	putDecimal(uint64(face.Idle))
	if face.Mail {
		put(" mail")
	}
}

func writeTraceRecord(e *record) {
	field("trace")
	putDecimal(uint64(e.cpu))
	put(" ")
	putDecimal(e.time)
	put(" kind ")
	putDecimal(uint64(e.kind))
	put(" context ")
	putSigned(int64(e.context))
	put(" thread ")
	putSigned(int64(e.thread))
	put(" args")
	for i := 0; i < 4; i++ {
		put(" ")
		putDecimal(uint64(e.args[i]))
	}
	put("\n")
}

// inKernelMemory reports whether an address lies in the image, where reading
// cannot fault.
func inKernelMemory(at uintptr) bool { return boot.InImage(at, false) }

// readable reports whether a word at an address can be read without a fault:
// in the image, or on a mapped page of the tables in force.
func readable(at uintptr) bool {
	return at&7 == 0 && (inKernelMemory(at) || boot.Mapped(at))
}
