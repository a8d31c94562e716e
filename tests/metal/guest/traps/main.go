// Command traps is the guest that raises every exception that a program can, and
// holds the kernel to the signal and the code that Linux makes of each. It prints a
// line a claim, `claim NAME ok` or `claim NAME FAILED why`, and ends with code 1 if one
// failed. On Linux every claim holds, too, which keeps the claims honest.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	_ "hearth/kernel"
	"hearth/sys"
)

// Codes of signals, as Linux numbers them.
const (
	fromKernel     = 0x80
	mapError       = 1
	accessError    = 2
	integerDivide  = 1
	floatDivide    = 3
	floatInvalid   = 7
	illegalOperand = 2
	traceTrap      = 2
)

// emulated says that this is Hearth in QEMU without virtualisation, which has no SIMD
// exceptions and takes a bad stack address for a general protection fault.
var emulated bool

// trap is what raises an exception, and what must come of it.
type trap struct {
	name    string
	raise   func()
	signal  syscall.Signal
	code    int32
	vector  uint64
	address uintptr // atPlace: that of the instruction
}

// atPlace as an address stands for the instruction's own.
const atPlace = ^uintptr(0)

func main() {
	runtime.LockOSThread()
	if info, err := sys.ReadInfo(); err == nil {
		emulated = strings.HasPrefix(info.Hypervisor, "TCG")
	}
	takeSignals()
	failed := 0
	for _, t := range traps() {
		if err := t.check(); err != nil {
			failed++
			fmt.Println("claim", t.name, "FAILED", err)
			continue
		}
		fmt.Println("claim", t.name, "ok")
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// traps lists the exceptions by what raises them.
func traps() []trap {
	readOnly, none, data := mapPage(syscall.PROT_READ), mapPage(syscall.PROT_NONE), mapPage(syscall.PROT_READ|syscall.PROT_WRITE)
	gone := mapPage(syscall.PROT_READ)
	must(syscall.Munmap(gone))
	at := func(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
	data[0] = 0xc3 // RET
	all := []trap{
		{"divide_by_zero", divideByZero, syscall.SIGFPE, integerDivide, 0, atPlace},
		{"divide_overflow", divideOverflow, syscall.SIGFPE, integerDivide, 0, atPlace},
		{"single_step", singleStep, syscall.SIGTRAP, traceTrap, 1, atPlace},
		{"breakpoint", breakpoint, syscall.SIGTRAP, fromKernel, 3, 0},
		{"invalid_instruction", invalidInstruction, syscall.SIGILL, illegalOperand, 6, atPlace},
		{"bad_address", badAddress, syscall.SIGSEGV, fromKernel, 13, 0},
		{"x87_divide_by_zero", x87DivideByZero, syscall.SIGFPE, floatDivide, 16, atPlace},
		{"x87_invalid", x87Invalid, syscall.SIGFPE, floatInvalid, 16, atPlace},
		{"x87_pending_over_a_call", pendingBesideAnother, 0, 0, 0, 0},
		{"simd_divide_by_zero", simdDivideByZero, syscall.SIGFPE, floatDivide, 19, atPlace},
		{"read_of_page_0", func() { load(0x18) }, syscall.SIGSEGV, mapError, 14, 0x18},
		{"read_of_unmapped", func() { load(at(gone)) }, syscall.SIGSEGV, mapError, 14, at(gone)},
		{"read_without_access", func() { load(at(none) + 8) }, syscall.SIGSEGV, accessError, 14, at(none) + 8},
		{"write_to_read_only", func() { store(at(readOnly) + 16) }, syscall.SIGSEGV, accessError, 14, at(readOnly) + 16},
		{"write_to_text", func() { store(textAddress()) }, syscall.SIGSEGV, accessError, 14, textAddress()},
		{"call_of_data", func() { call(at(data)) }, syscall.SIGSEGV, accessError, 14, at(data)},
	}
	if !emulated {
		all = append(all, trap{"bad_stack_address", badStackAddress, syscall.SIGBUS, fromKernel, 12, 0})
	}
	return all
}

func mapPage(protection int) []byte {
	b, err := syscall.Mmap(-1, 0, 4096, protection, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	must(err)
	return b
}

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
}

// got is what the handler was told, written by assembly.
var got report

type report struct {
	signal, vector uint64
	code           int64
	address, place uintptr
	frame          uint64 // RBP to restore, 0: it is as it was
}

// Where the assembly writes.
const (
	offSignal  = unsafe.Offsetof(got.signal)
	offVector  = unsafe.Offsetof(got.vector)
	offCode    = unsafe.Offsetof(got.code)
	offAddress = unsafe.Offsetof(got.address)
	offPlace   = unsafe.Offsetof(got.place)
	offFrame   = unsafe.Offsetof(got.frame)
)

var _ = &got.frame // only the assembly reads it

// check raises the exception more than once: the way back must be whole.
func (t *trap) check() error {
	for range 3 {
		got = report{}
		t.raise()
		address := t.address
		if address == atPlace {
			address = got.place
		}
		switch {
		case got.signal != uint64(t.signal):
			return fmt.Errorf("signal %v, want %v", syscall.Signal(got.signal), t.signal)
		case int32(got.code) != t.code:
			return fmt.Errorf("code %d, want %d", int32(got.code), t.code)
		case got.address != address:
			return fmt.Errorf("address %#x, want %#x", got.address, address)
		case got.vector != t.vector:
			return fmt.Errorf("vector %d, want %d", got.vector, t.vector)
		}
	}
	return nil
}

// takeSignals makes the assembly handler that of every signal of an exception.
func takeSignals() {
	const info, restorer, onStack = 4, 0x04000000, 0x08000000
	action := struct{ handler, flags, restorer, mask uintptr }{handlerAddress(), info | restorer | onStack, restorerAddress(), 0}
	for _, s := range []syscall.Signal{syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGILL, syscall.SIGTRAP} {
		_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
		if errno != 0 {
			must(errno)
		}
	}
}
