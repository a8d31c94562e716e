//go:build hearth_faults

package kernel

import (
	"hearth/boot"
	"hearth/process"
	"hearth/smp"
	"unsafe"
)

// callProvoke is the call by which a test makes the kernel fail, in the way that
// its argument numbers. Only an image with the build tag hearth_faults has it.
const callProvoke = 8191

var (
	nowhere *uint64
	nothing uint64
	beyond  = 8
	list    [8]uint64
	ret     = [...]byte{0xc3} // a whole function, in data
)

// provoke fails.
func provoke(f *frame) int64 {
	if f.ax != callProvoke {
		return unknownCall(f.ax)
	}
	switch f.di {
	case 0:
		readNowhere()
	case 1:
		overwriteCode()
	case 2:
		runData(&ret) // fails: data
	case 3:
		overflow(0)
	case 4:
		divideByZero()
	case 5:
		indexBeyond()
	case 6:
		divideWithoutCheck()
	case 7:
		stopItself()
	case 8:
		takeWrongEdge() // fails: edge
	case 9:
		overflow(boot.StackTop(me().slot*stacksPerCPU + int(f.si)))
	case 10:
		me().segments.BreakInterruptStack()
		readNowhere()
	case 11:
		nothing = recurse(f.si)
	case 12:
		troubled = int(f.si) + 1
		readNowhere()
	case 13:
		raiseInKernel(f.si) // fails: exception
	case 14:
		smp.NMI(me().apic)
		waitHere()
	case 20:
		filesLock.lock()
		filesLock.lock() // fails: lock
	case 15:
		violatePrecondition() // fails: precondition
	case 16:
		overwriteConstant()
	}
	return 0
}

//go:noinline
func recurse(n uint64) uint64 {
	var words [64]uint64
	words[n%64] = recurse(n + 1) // fails: recursion
	return words[n/2%64]
}

//go:noinline
func violatePrecondition() {
	scheduler.Table.FreeContext(me().context())
}

//go:noinline
func waitHere() {
	for {
		boot.Pause()
	}
}

//go:noinline
func readNowhere() { nothing = *nowhere } // fails: nil

//go:noinline
func overwriteCode() { *(*uint64)(unsafe.Pointer(enterAddress())) = 0 } // fails: text

//go:noinline
func overwriteConstant() { *unsafe.StringData("a constant of the kernel") = 0 } // fails: constant

//go:noinline
func divideByZero() { list[0] = list[1] / nothing } // fails: division

//go:noinline
func indexBeyond() { list[beyond]++ } // fails: bounds

//go:noinline
func stopItself() { crash("a test asked for it") } // fails: stop

//go:noinline
func takeWrongEdge() {
	scheduler.Table.SetState(me().context(), process.Running, process.New)
}

// runData calls what is not mapped as code.
func runData(code *[1]byte)

// overflow pushes onto a stack, given by its top, 0 for the one in use, until the
// guard page below is reached.
func overflow(top uintptr)

// raiseInKernel raises an exception by its vector.
func raiseInKernel(vector uint64)

// divideWithoutCheck divides by zero as no compiler would.
func divideWithoutCheck()
