package kernel

// vdsoAddress returns the address of the ELF image that tells programs of the
// functions by which they read the clock without a system call.
func vdsoAddress() uintptr
