package kernel

import (
	"hearth/cpu"
	"unsafe"
)

const (
	// callSetOnline takes a CPU offline or brings it back.
	callSetOnline = 4112
	// callOnline tells which CPUs are online.
	callOnline = 4113
)

// setOnline takes a CPU offline (0) or brings it back (1). One that is offline halts
// like any other, answers kicks and serves flushes; the boot CPU is no exception.
// The caller may take away its own CPU: then it goes on elsewhere.
func (c *perCPU) setOnline(id, online uint64) int64 {
	if id >= uint64(onlineCount) || online > 1 {
		return -eINVAL
	}
	which := cpu.ID(id)
	switch {
	case scheduler.IsOnline(which) == (online == 1):
		return 0
	case online == 1:
		scheduler.SetOnline(c.id, c.entry, which, &c.actions)
		return 0
	case scheduler.SetOffline(c.id, c.entry, which, &c.actions):
		return 0
	case scheduler.IsOnline(which):
		return -eBUSY // the last one
	}
	return 0 // another caller was faster
}

// tellOnline writes the mask of online CPUs and returns its bytes.
func tellOnline(at uintptr, bytes uint64) int64 {
	var m cpu.Mask
	scheduler.OnlineMask(&m)
	n := min(uintptr(bytes), unsafe.Sizeof(m))
	if !programSpace.copyOut(at, unsafe.Pointer(&m), n) {
		return -eFAULT
	}
	return int64(n)
}
