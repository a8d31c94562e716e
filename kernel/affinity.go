package kernel

import (
	"hearth/cpu"
	"hearth/process"
	"unsafe"
)

// readMask fetches an affinity mask of the program: bytes beyond the 1,024
// CPUs of a mask must not be there.
func readMask(m *cpu.Mask, at, bytes uintptr) (errno int64) {
	if bytes == 0 || bytes > unsafe.Sizeof(*m) {
		return eINVAL
	}
	if !programSpace.copyIn(unsafe.Pointer(m), at, bytes) {
		return eFAULT
	}
	if !scheduler.Usable(m) {
		return eINVAL
	}
	return 0
}

// setAffinity is sched_setaffinity, by context; 0 is the caller.
func (c *perCPU) setAffinity(id process.ContextID, bytes, at uintptr) int64 {
	if id == 0 {
		id = c.context()
	}
	if id < 1 || id > process.MaxContexts || scheduler.Table.Context(id).State() == process.New {
		return -eSRCH
	}
	return c.applyMask(id, bytes, at)
}

// threadAffinity is the same by thread; 0 is the calling context.
func (c *perCPU) threadAffinity(thread process.ThreadID, bytes, at uintptr) int64 {
	id := c.context()
	if thread != 0 {
		t := scheduler.Table.Thread(thread)
		if t == nil || t.Context() == 0 {
			return -eSRCH
		}
		id = t.Context()
	}
	return c.applyMask(id, bytes, at)
}

func (c *perCPU) applyMask(id process.ContextID, bytes, at uintptr) int64 {
	var m cpu.Mask
	if errno := readMask(&m, at, min(bytes, unsafe.Sizeof(m))); errno != 0 {
		return -errno
	}
	if id == c.context() {
		// It may be on its way to another CPU when the call below returns.
		contextAt(id).frame.ax = 0
	}
	scheduler.SetMask(c.id, c.entry, id, &m, &c.actions)
	return 0
}

// getAffinity is sched_getaffinity: the online CPUs of a context's mask, or all
// online CPUs if it has none.
func (c *perCPU) getAffinity(id process.ContextID, bytes, at uintptr) int64 {
	if id == 0 {
		id = c.context()
	}
	if id < 1 || id > process.MaxContexts {
		return -eSRCH
	}
	var m cpu.Mask
	scheduler.Table.Context(id).Mask(&m)
	var online cpu.Mask
	scheduler.OnlineMask(&online)
	if m.Intersects(&online) {
		m.And(&online)
	} else {
		m = online
	}
	words := (uintptr(onlineCount) + 63) / 64 * 8
	if bytes < words {
		return -eINVAL
	}
	if !programSpace.copyOut(at, unsafe.Pointer(&m), words) {
		return -eFAULT
	}
	return int64(words)
}
