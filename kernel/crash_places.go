package kernel

import "hearth/cpu"

// pathMost is how many callers a path shows.
const pathMost = 32

// frames is a walk along frame pointers: each is followed by the address to which
// the function returns.
type frames struct {
	bp    uintptr
	depth uint64
}

// next returns where the walk's next function returns to; false at the end of what
// can be read, after pathMost, or where the pointers stop to climb.
func (f *frames) next() (ip uint64, ok bool) {
	if f.depth == pathMost || f.bp == 0 || !readable(f.bp) || !readable(f.bp+8) {
		return 0, false
	}
	ip = load64(f.bp + 8)
	f.depth++
	next := uintptr(load64(f.bp))
	if next <= f.bp {
		next = 0
	}
	f.bp = next
	return ip, true
}

// writePath writes the callers of this CPU's code.
func writePath(bp uintptr) {
	f := frames{bp: bp}
	for ip, ok := f.next(); ok; ip, ok = f.next() {
		field("frame")
		putDecimal(f.depth - 1)
		put(" ")
		putHex(ip)
		put("\n")
	}
}

// writePlace writes where another CPU was when it stopped, and its callers, or that
// it did not stop.
func writePlace(c *perCPU) {
	field("place")
	putDecimal(uint64(c.id))
	if c.stopped.Load() == 0 {
		put(" no answer\n")
		return
	}
	f := &c.fault
	put(" vector ")
	putDecimal(f.vector)
	put(" mode ")
	put(modeName(c.was))
	put(" context ")
	putDecimal(uint64(c.context()))
	put(" thread ")
	putDecimal(uint64(scheduler.Table.Context(c.context()).Thread()))
	put(" rsp ")
	putHex(f.sp)
	if readable(uintptr(f.sp)) {
		// The caller, where a function without a frame of its own was stopped.
		put(" top ")
		putHex(load64(uintptr(f.sp)))
	}
	put(" rip ")
	putHex(f.ip)
	put("\n")
	c.writeCallers()
}

// writeCallers is writePath for another CPU.
func (c *perCPU) writeCallers() {
	f := frames{bp: uintptr(c.fault.bp)}
	for ip, ok := f.next(); ok; ip, ok = f.next() {
		field("caller")
		putDecimal(uint64(c.id))
		put(" ")
		putDecimal(f.depth - 1)
		put(" ")
		putHex(ip)
		put("\n")
	}
}

func modeName(mode uint64) string {
	switch mode {
	case inProgram:
		return "program"
	case inKernel:
		return "kernel"
	case inHalt:
		return "halt"
	}
	return "crash"
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
