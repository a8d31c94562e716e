package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"unsafe"
)

// position is where a CPU sits, as the topology call tells it.
type position struct {
	apic                             uint32
	core, llc, node, packageID, rank int32
}

// tellTopology writes a position for each CPU, as many as fit, and returns how
// many CPUs there are.
func tellTopology(to uintptr, size uint64) int64 {
	t := &scheduler.Topology
	const each = uint64(unsafe.Sizeof(position{}))
	for id := 0; id < t.Count && uint64(id+1)*each <= size; id++ {
		at := &t.At[id]
		p := position{at.APIC, at.Core, at.LLC, at.Node, at.Package, at.SMT}
		if !programSpace.copyOut(to+uintptr(id)*uintptr(each), unsafe.Pointer(&p), unsafe.Sizeof(p)) {
			return -eFAULT
		}
	}
	return int64(t.Count)
}

// statKinds are the scheduler's counters in the order of the stats call; the
// kernel's own follow.
var statKinds = [...]sched.Counter{
	sched.Kicks, sched.KicksMerged, sched.Wakes, sched.WakesLocal, sched.Spawns,
	sched.Migrations, sched.Crossings, sched.Preemptions, sched.Dispatches, sched.Halts,
}

// statCount is how many counters the stats call knows.
const statCount = len(statKinds) + 3

// tellStats writes the machine's counters, as many as fit, and returns how
// many there are.
func tellStats(to uintptr, size uint64) int64 {
	var all [statCount]uint64
	for i, kind := range statKinds {
		all[i] = scheduler.Total(kind)
	}
	for id := 0; id < onlineCount; id++ {
		counts := &cpuAt(cpu.ID(id)).counts
		all[statCount-3] += counts.syscalls
		all[statCount-2] += counts.faults
		all[statCount-1] += counts.signals
	}
	n := min(uintptr(size), unsafe.Sizeof(all))
	if !programSpace.copyOut(to, unsafe.Pointer(&all), n) {
		return -eFAULT
	}
	return int64(statCount)
}

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
