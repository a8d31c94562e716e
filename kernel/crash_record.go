package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"unsafe"
)

// Sections of a crash record. What goes wrong in one ends it, and the next one
// begins; the last ends the machine.
const (
	sectionBegin = iota
	sectionWhat
	sectionRegisters
	sectionPath
	sectionStack
	sectionCode
	sectionOthers // where every other CPU was, one after the other
	sectionCPUs   = sectionOthers + cpu.Max
	sectionEnd    = sectionCPUs + cpu.Max
	sectionTrace  = sectionEnd + 1
	sections      = sectionTrace + 1
)

// writeRecord writes the record from the CPU's section on and ends the machine.
func (c *perCPU) writeRecord() {
	for ; c.section < sections; c.section++ {
		injectTrouble(c.section)
		c.writeSection(c.section)
	}
	boot.ExitCrash()
}

func (c *perCPU) writeSection(section int) {
	switch {
	case section == sectionBegin:
		put("\nhearth: crash begin\n")
	case section == sectionWhat:
		c.writeWhat()
	case section == sectionRegisters:
		writeRegisters(&c.fault)
		number("context", uint64(c.context()))
		number("thread", uint64(scheduler.Table.Context(c.context()).Thread()))
	case section == sectionPath:
		writePath(uintptr(c.fault.bp))
	case section == sectionStack:
		writeStack(uintptr(c.fault.sp))
	case section == sectionCode:
		writeCode(uintptr(c.fault.ip))
	case section < sectionCPUs:
		if id := section - sectionOthers; id < onlineCount && cpu.ID(id) != c.id {
			writePlace(cpuAt(cpu.ID(id)))
		}
	case section < sectionEnd:
		if id := section - sectionCPUs; id < onlineCount {
			writeCPU(cpuAt(cpu.ID(id)))
		}
	case section == sectionEnd:
		put("hearth: crash end\n")
	case section == sectionTrace:
		dumpTrace()
	}
}

// writeWhat writes what happened, and to whom.
func (c *perCPU) writeWhat() {
	field("what")
	c.writeReason()
	put("\n")
	if c.saidSize > 0 {
		c.writeSaid()
	}
	number("cpu", uint64(c.id))
	number("vector", c.fault.vector)
	word("error", c.fault.code)
	field("mode")
	put(modeName(c.was))
	put("\n")
	if n, below := boot.StackOf(uintptr(c.fault.sp)); n >= 0 {
		field("on")
		writeStackName(n)
		put(", ")
		putDecimal(uint64(below))
		put(" bytes deep\n")
	}
}

// writeTrouble tells what went wrong while the section before was written.
func (c *perCPU) writeTrouble() {
	put("\n")
	field("broken")
	put("vector ")
	putDecimal(c.nested.vector)
	put(" error ")
	putDecimal(c.nested.code)
	put(" rip ")
	putHex(c.nested.ip)
	put(" cr2 ")
	putHex(boot.ReadCR2())
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

// inKernelMemory reports whether an address lies in the image, where reading
// cannot fault.
func inKernelMemory(at uintptr) bool { return boot.InImage(at, false) }

// readable reports whether a word at an address can be read without a fault:
// in the image, or on a mapped page of the tables in force.
func readable(at uintptr) bool {
	return at&7 == 0 && (inKernelMemory(at) || boot.Mapped(at))
}
