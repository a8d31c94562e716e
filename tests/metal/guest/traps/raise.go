package main

import (
	"sync/atomic"
	"time"

	"hearth/sys"
)

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

// pendingBesideAnother leaves an x87 exception pending over a system call that waits,
// while another thread runs on the same CPU, where it must do no harm.
func pendingBesideAnother() {
	mask := sys.MaskOf(sys.CurrentCPU())
	must(sys.Thread(0).SetAffinity(&mask))
	var stop atomic.Bool
	var word uint32
	other, err := sys.SpawnWith(sys.Options{Mask: &mask}, func() {
		for !stop.Load() {
			_ = sys.FutexWait(&word, 0, time.Millisecond)
			waitX87()
		}
	})
	must(err)
	x87Pending()
	stop.Store(true)
	_, err = other.Join()
	must(err)
}

// x87Pending leaves an x87 exception pending and sleeps for a moment.
func x87Pending()

// waitX87 raises an x87 exception that is pending.
func waitX87()

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
