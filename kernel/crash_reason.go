package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"unsafe"
)

// writeReason writes what happened, in words.
func (c *perCPU) writeReason() {
	f := &c.fault
	switch {
	case f.vector == vectorBreakpoint && stopAt != 0:
		if stopAbout != 0 {
			put("cpu ")
			putDecimal(uint64(stopAbout - 1))
			put(" ")
		}
		put(unsafe.String((*byte)(unsafe.Pointer(stopAt)), stopLength))
	case f.vector == vectorPage && writeOverflow(boot.ReadCR2()):
	case f.vector == vectorPage && writeUsedUp(f.bp):
	case f.vector == vectorThrow && c.hasSaid("morestack on g0"):
		writeStackUsedUp(c.slot * stacksPerCPU)
	case f.vector == vectorPage && f.passes(&boundsPanic):
		put("a Go panic in kernel context: an index or slice bound is out of range")
	case f.vector == vectorNMI:
		put("non-maskable interrupt from the board")
	case f.vector == vectorDouble:
		put("double fault: an exception could not be entered")
	case f.vector == vectorCheck:
		put("machine check")
	default:
		put(vectorReason(f.vector))
		put(whileIn(c.was))
	}
}

func whileIn(mode uint64) string {
	switch mode {
	case inProgram:
		return " in a program"
	case inHalt:
		return " in a halt"
	}
	return " in kernel context"
}

func vectorReason(vector uint64) string {
	switch vector {
	case vectorThrow:
		return "a Go panic or throw"
	case vectorDivide:
		return "division by zero"
	case vectorDebug:
		return "debug exception"
	case vectorBreakpoint:
		return "breakpoint"
	case vectorOpcode:
		return "invalid instruction"
	case vectorDevice:
		return "floating point was switched off"
	case vectorSegment:
		return "stack segment fault"
	case vectorGeneral:
		return "general protection fault"
	case vectorPage:
		return "page fault"
	case vectorFloat:
		return "x87 exception"
	case vectorAlignment:
		return "misaligned access"
	case vectorSIMD:
		return "SIMD exception"
	}
	return "exception"
}

// writeOverflow names the stack below which an address lies in a guard page, and
// reports false for any other address.
func writeOverflow(address uint64) bool {
	n, below := boot.StackOf(uintptr(address))
	if n < 0 || n >= machine.CPUCount*stacksPerCPU || below <= stackSize(n) {
		return false
	}
	put("the ")
	writeStackName(n)
	put(" overflowed")
	return true
}

// writeUsedUp names the stack of which Go code found no more than the last piece
// left, which the runtime takes for a goroutine's that must grow; false where the
// deepest frame lies elsewhere.
func writeUsedUp(bp uint64) bool {
	n, below := boot.StackOf(uintptr(bp))
	if n < 0 || n >= machine.CPUCount*stacksPerCPU || below+2*stackGuard < stackSize(n) {
		return false
	}
	writeStackUsedUp(n)
	return true
}

func writeStackUsedUp(n int) {
	put("the ")
	writeStackName(n)
	put(" is used up")
}

// stackSize returns the size of stack number n, in bytes.
func stackSize(n int) uintptr {
	if n%stacksPerCPU == 0 {
		return kernelStack
	}
	return interruptSize
}

func writeStackName(n int) {
	switch n % stacksPerCPU {
	case 0:
		put("kernel")
	case boot.InterruptStack:
		put("interrupt")
	case boot.NMIStack:
		put("NMI")
	case boot.DoubleFaultStack:
		put("double-fault")
	case boot.MachineCheckStack:
		put("machine-check")
	}
	put(" stack of ")
	for id := 0; id < onlineCount; id++ {
		if cpuAt(cpu.ID(id)).slot == n/stacksPerCPU {
			put("cpu ")
			putDecimal(uint64(id))
			return
		}
	}
	put("a CPU that was left out")
}

// boundsPanic is where the runtime's code for a bound that does not hold lies,
// learnt when the program starts.
var boundsPanic struct{ start, end uintptr }

// passes reports whether the path to where f stands leads through some code.
func (f *frame) passes(code *struct{ start, end uintptr }) bool {
	bp := uintptr(f.bp)
	for depth := 0; depth < pathMost && readable(bp) && readable(bp+8); depth++ {
		if at := uintptr(load64(bp + 8)); at > code.start && at < code.end {
			return true
		}
		next := uintptr(load64(bp))
		if next <= bp {
			break
		}
		bp = next
	}
	return false
}
