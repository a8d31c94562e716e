package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/process"
	"unsafe"
)

// information is what the info call tells.
type information struct {
	tscHz       uint64
	tscSource   uint32
	flags       uint32
	bootNanos   uint64
	memory      uint64
	kernelBytes uint64
}

// Flags of information.
const infoEmulated = 1

func tellInfo(to uintptr, size uint64) int64 {
	i := information{
		tscHz:       clock.Hz,
		tscSource:   uint32(machine.TSCSource),
		bootNanos:   uint64(bootDone),
		memory:      boot.RAM.Total() * boot.PageSize,
		kernelBytes: kernelBytes,
	}
	if emulated {
		i.flags |= infoEmulated
	}
	n := min(uintptr(size), unsafe.Sizeof(i))
	if !programSpace.copyOut(to, unsafe.Pointer(&i), n) {
		return -eFAULT
	}
	return int64(n)
}

// threadInformation is what the thread_info call tells.
type threadInformation struct {
	state   uint32
	home    int32
	context int32
	class   uint32
}

func tellThread(id process.ThreadID, to uintptr, size uint64) int64 {
	thread := scheduler.Table.Thread(id)
	if thread == nil {
		return -eSRCH
	}
	i := threadInformation{state: uint32(process.Exited), home: int32(cpu.None), class: uint32(thread.Class())}
	if at := thread.Context(); at != 0 {
		x := scheduler.Table.Context(at)
		i.state, i.home, i.context = uint32(x.State()), int32(x.Home()), int32(at)
	}
	n := min(uintptr(size), unsafe.Sizeof(i))
	if !programSpace.copyOut(to, unsafe.Pointer(&i), n) {
		return -eFAULT
	}
	return int64(n)
}
