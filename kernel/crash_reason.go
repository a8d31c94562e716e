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
	default:
		put(vectorReason(f.vector))
	}
}

func vectorReason(vector uint64) string {
	switch vector {
	case vectorThrow:
		return "a Go panic or throw in kernel context"
	case vectorNMI:
		return "non-maskable interrupt from the board"
	case vectorDouble:
		return "double fault: an exception could not be entered"
	case vectorCheck:
		return "machine check"
	case vectorDivide:
		return "division by zero in kernel context"
	case vectorDebug:
		return "debug exception in kernel context"
	case vectorBreakpoint:
		return "breakpoint in kernel context"
	case vectorOpcode:
		return "invalid instruction in kernel context"
	case vectorDevice:
		return "floating point was switched off in kernel context"
	case vectorSegment:
		return "stack segment fault in kernel context"
	case vectorGeneral:
		return "general protection fault in kernel context"
	case vectorPage:
		return "page fault in kernel context"
	case vectorFloat:
		return "x87 exception in kernel context"
	case vectorAlignment:
		return "misaligned access in kernel context"
	case vectorSIMD:
		return "SIMD exception in kernel context"
	}
	return "exception in kernel context"
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
