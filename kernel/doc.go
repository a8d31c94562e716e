// Package kernel answers what a running program asks for: system calls,
// interrupts, futex waits, memory, signals for the Go runtime, console log and
// trace.
//
// Importing it makes a main package bootable: it brings the machine's entry
// points with it. What runs is a register context (frame.go), nothing more.
// Each CPU has one kernel stack; kernel code runs with interrupts off, to
// completion, and ends by choosing the context to resume (dispatch.go). A call
// that waits changes its context's state and leaves its result to the waker.
//
// Start reading at start.go, which goes from the boot loader to the first
// program instruction, then syscall.go and interrupt.go, the two ways in.
package kernel
