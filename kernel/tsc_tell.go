package kernel

import (
	"hearth/cpu"
	"unsafe"
)

// callClocks is the call that tells of a CPU's TSC.
const callClocks = 4111

// clockReport is what the clocks call tells of one CPU, in ticks of its TSC.
type clockReport struct {
	ahead  int64  // of the boot CPU's: this is taken off
	within uint64 // the error that ahead may have
	rounds uint64 // of questions and answers that it rests on
	direct uint64 // 1: programs read the clock without a call
	halts  uint64 // of the CPU while it waited for an order
}

// tellClock writes what is known of a CPU's TSC and returns how many CPUs there
// are.
func tellClock(id uint64, to uintptr, size uint64) int64 {
	if id >= uint64(onlineCount) {
		return -eINVAL
	}
	c := cpuAt(cpu.ID(id))
	r := clockReport{ahead: int64(c.ahead), direct: timeBase.direct, halts: c.halts}
	r.within, r.rounds = c.meeting.offset.Within(), c.meeting.offset.Rounds
	n := min(uintptr(size), unsafe.Sizeof(r))
	if !programSpace.copyOut(to, unsafe.Pointer(&r), n) {
		return -eFAULT
	}
	return int64(onlineCount)
}
