package kernel

import (
	"hearth/process"
	"unsafe"
)

// A Go panic in kernel context ends in the runtime, which prints why, in several
// writes. Each of them is a system call of kernel code, which leads here; they are
// let through until the line is complete.

// saidMost is how much of it is kept, in bytes.
const saidMost = 240

// goesOnThrowing keeps what the runtime was about to write and reports whether it
// may go on.
func (c *perCPU) goesOnThrowing() bool {
	f := &c.fault
	if c.phase == phaseThrowing {
		// The path is that of the newest call: what the older ones had on the
		// stack is overwritten.
		c.fault = c.nested
	}
	if f.vector != vectorThrow || f.ax != callWrite || !c.hear(uintptr(f.si), int(f.dx)) {
		if c.phase == phaseThrowing {
			f.vector = vectorThrow // whatever cut it short
		}
		return false
	}
	c.phase, c.mode = phaseThrowing, inThrow
	f.ax = f.dx
	c.goBack = f.address()
	return true
}

// hear appends n bytes to what was said and reports whether the line goes on.
func (c *perCPU) hear(from uintptr, n int) bool {
	for i := 0; i < n; i++ {
		if c.saidSize == saidMost || !inKernelMemory(from+uintptr(i)) && !readable((from+uintptr(i))&^7) {
			return false
		}
		b := *(*byte)(unsafe.Pointer(from + uintptr(i)))
		if b == '\n' && c.saidSize > 0 {
			return false
		}
		c.said[c.saidSize] = b
		c.saidSize++
	}
	return true
}

// writeSaid writes what the runtime said and, where that ends in the address of a
// static error of the scheduler's, what the error says.
func (c *perCPU) writeSaid() {
	field("said")
	putBytes(uintptr(unsafe.Pointer(&c.said)), c.saidSize)
	put("\n")
	at := uintptr(c.lastHex())
	if at&7 != 0 || !inKernelMemory(at) || !inKernelMemory(at+16) {
		return
	}
	switch {
	case c.hasSaid("process.EdgeError"):
		e := (*process.EdgeError)(unsafe.Pointer(at))
		field("reason")
		put("illegal change of state from ")
		put(e.From.String())
		put(" to ")
		put(e.To.String())
		put("\n")
	case c.hasSaid(".fault)"):
		text, size := uintptr(load64(at)), int(min(load64(at+8), saidMost))
		if inKernelMemory(text) && inKernelMemory(text+uintptr(size)) {
			field("reason")
			putBytes(text, size)
			put("\n")
		}
	}
}

func (c *perCPU) hasSaid(text string) bool {
	for at := 0; at+len(text) <= c.saidSize; at++ {
		same := 0
		for same < len(text) && c.said[at+same] == text[same] {
			same++
		}
		if same == len(text) {
			return true
		}
	}
	return false
}

// lastHex returns the hexadecimal number with which the said text ends, 0 if it
// ends otherwise.
func (c *perCPU) lastHex() (n uint64) {
	shift := uint(0)
	for at := c.saidSize - 1; at >= 0; at-- {
		b := c.said[at]
		switch {
		case b >= '0' && b <= '9':
			n |= uint64(b-'0') << shift
		case b >= 'a' && b <= 'f':
			n |= uint64(b-'a'+10) << shift
		case b == 'x':
			return n
		default:
			return 0
		}
		shift += 4
	}
	return 0
}
