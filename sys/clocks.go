package sys

import (
	"syscall"
	"unsafe"
)

// callClocks is Hearth's call clocks.
const callClocks = 4111

// ClockOffset says how the time stamp counter of a CPU compares with the boot
// CPU's, as it was measured when the CPU was started.
type ClockOffset struct {
	Ahead  int64  // ticks that are taken off; 0 where the two may agree
	Within uint64 // ticks by which the measured offset may be wrong
	Rounds uint64 // of questions and answers that it rests on; 0 of the boot CPU
	Halts  uint64 // of the CPU while it waited to be released; 0 of the boot CPU
}

// ReadClockOffsets returns the offset of every online CPU, by id, and whether all of
// them agree, so that programs read the clock without a system call. ENOSYS on
// Linux, which does not tell.
func ReadClockOffsets() (offsets []ClockOffset, agree bool, err error) {
	if !onHearth {
		return nil, false, &Error{"clocks", "Linux does not tell", syscall.ENOSYS}
	}
	for id, n := uintptr(0), uintptr(1); id < n; id++ {
		var r struct {
			ahead                         int64
			within, rounds, direct, halts uint64
		}
		count, _, errno := syscall.RawSyscall(callClocks, id, uintptr(unsafe.Pointer(&r)), unsafe.Sizeof(r))
		if errno != 0 {
			return nil, false, &Error{"clocks", errno.Error(), errno}
		}
		n = count
		agree = r.direct == 1
		offsets = append(offsets, ClockOffset{r.ahead, r.within, r.rounds, r.halts})
	}
	return offsets, agree, nil
}
