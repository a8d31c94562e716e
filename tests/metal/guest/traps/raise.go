package main

// What raises exceptions, in assembly. Each is entered with nothing but its return
// address on the stack, to which the handler goes back.

func divideByZero()
func divideOverflow()
func singleStep()
func breakpoint()
func invalidInstruction()
func badAddress()
func badStackAddress()
func x87DivideByZero()
func x87Invalid()

// x87Pending leaves an x87 exception pending and makes a system call, over which it is
// lost and harms nobody.
func x87Pending()

func load(address uintptr)
func store(address uintptr)
func call(address uintptr)

func handlerAddress() uintptr
func restorerAddress() uintptr
func textAddress() uintptr

// simdDivideByZero divides by zero with the exception on; QEMU does not raise it, so
// there the vector is called, with MXCSR as the exception would leave it.
func simdDivideByZero() {
	if emulated {
		callSIMDVector()
		return
	}
	raiseSIMD()
}

func raiseSIMD()
func callSIMDVector()
