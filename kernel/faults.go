//go:build hearth_faults

package kernel

import (
	"hearth/process"
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
		useUpStack()
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
	}
	return 0
}

//go:noinline
func readNowhere() { nothing = *nowhere } // fails: nil

//go:noinline
func overwriteCode() { *(*uint64)(unsafe.Pointer(enterAddress())) = 0 } // fails: text

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

// useUpStack pushes until the guard page below the kernel's stack is reached.
func useUpStack()

// divideWithoutCheck divides by zero as no compiler would.
func divideWithoutCheck()

// listSilentCPU puts a CPU that does not exist behind those of the machine.
func listSilentCPU() {
	const nobody = 200
	machine.CPUs[machine.CPUCount].APICID = nobody
	machine.CPUCount++
}
