package sys

import (
	"syscall"
	"unsafe"
)

// Memory says where a machine's RAM is, in bytes. Free, Program, Tables and Kernel
// add up to Total.
type Memory struct {
	Total   uint64 // what Hearth hands out: RAM without the image
	Free    uint64
	Program uint64 // pages of the program
	Large   uint64 // of Program, what is in pages of 2 MiB
	Tables  uint64 // page tables of the program
	Kernel  uint64 // the rest: stacks, saved registers, tables of the kernel
	Regions uint64 // how many regions the program has mapped, of 8,192
}

// ReadMemory returns how memory is used at the moment; ENOSYS on Linux, which says
// so in other ways.
func ReadMemory() (Memory, error) {
	var m Memory
	if !onHearth {
		return m, &Error{"memory", "Linux has other ways to ask", syscall.ENOSYS}
	}
	if _, _, errno := syscall.RawSyscall(callMemory, uintptr(unsafe.Pointer(&m)), unsafe.Sizeof(m), 0); errno != 0 {
		return m, &Error{"memory", errno.Error(), errno}
	}
	return m, nil
}
