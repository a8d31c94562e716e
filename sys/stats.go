package sys

import (
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// Stats are the counts of Hearth's kernel since boot.
type Stats struct {
	Kicks        uint64 // directed interrupts sent
	KicksMerged  uint64 // kicks saved because one was on its way
	Wakes        uint64
	WakesLocal   uint64 // of them, wakes of a thread at home on the waker's CPU
	Spawns       uint64
	Migrations   uint64
	LLCCrossings uint64 // kicks sent to another LLC domain
	Preemptions  uint64
	Dispatches   uint64
	IdleHalts    uint64
	SystemCalls  uint64
	PageFaults   uint64
	Signals      uint64
}

// ReadStats returns the counts, ENOSYS on Linux, which keeps no such ones.
func ReadStats() (Stats, error) {
	var s Stats
	if !onHearth {
		return s, &Error{"stats", "Linux keeps no such counts", syscall.ENOSYS}
	}
	if _, _, errno := syscall.RawSyscall(callStats, uintptr(unsafe.Pointer(&s)), unsafe.Sizeof(s), 0); errno != 0 {
		return s, &Error{"stats", errno.Error(), errno}
	}
	return s, nil
}

// Sub returns the counts that were added since earlier.
func (s Stats) Sub(earlier Stats) Stats {
	now := (*[unsafe.Sizeof(s) / 8]uint64)(unsafe.Pointer(&s))
	then := (*[unsafe.Sizeof(s) / 8]uint64)(unsafe.Pointer(&earlier))
	for i := range now {
		now[i] -= then[i]
	}
	return s
}

// ThreadStatus is a snapshot of a thread.
type ThreadStatus struct {
	State State
	Home  int // the CPU that owns it, -1 for none; on Linux the one it last ran on
	Class Class
}

// State is where a thread stands in its life, in the kernel's order.
type State uint32

// The states. On Linux a live thread shows as Ready, Running or Blocked.
const (
	New State = iota
	InTransit
	Ready
	Running
	Blocked
	Exited
)

var stateNames = [...]string{"New", "InTransit", "Ready", "Running", "Blocked", "Exited"}

// String returns the state's name.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "State(" + strconv.Itoa(int(s)) + ")"
}

// Status returns a snapshot of t; ESRCH if there is no such thread.
func (t Thread) Status() (ThreadStatus, error) {
	ask := linuxStatus
	if onHearth {
		ask = hearthThreadStatus
	}
	status, errno := ask(t)
	if errno != 0 {
		return ThreadStatus{}, &Error{"status", t.label() + ": " + noThread(errno), errno}
	}
	return status, nil
}

// threadRecordOut is the answer of Hearth's call thread_info.
type threadRecordOut struct {
	state   uint32
	home    int32
	context int32
	class   uint32
}

func hearthStatus(t Thread) (threadRecordOut, syscall.Errno) {
	var r threadRecordOut
	_, _, errno := syscall.RawSyscall(callThreadInfo, uintptr(t), uintptr(unsafe.Pointer(&r)), unsafe.Sizeof(r))
	return r, errno
}

func hearthThreadStatus(t Thread) (ThreadStatus, syscall.Errno) {
	r, errno := hearthStatus(t)
	return ThreadStatus{State: State(r.state), Home: int(r.home), Class: Class(r.class)}, errno
}

func linuxStatus(t Thread) (ThreadStatus, syscall.Errno) {
	r := threadRecord(t)
	if r == nil || r.state.Load() == 0 {
		return ThreadStatus{}, syscall.ESRCH
	}
	if r.state.Load()&threadEnded != 0 {
		return ThreadStatus{State: Exited, Home: -1}, 0
	}
	c := &carriers[r.carrier.Load()]
	status := ThreadStatus{State: Running, Home: -1, Class: Class(r.class.Load())}
	// The fields behind the name, which ends at the last parenthesis: the state
	// letter is field 3 of proc(5), the CPU field 39.
	stat := readText("/proc/self/task/" + strconv.Itoa(int(c.tid)) + "/stat")
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) <= 36 {
		return status, 0
	}
	if fields[0] == "S" || fields[0] == "D" {
		status.State = Blocked
	}
	status.Home, _ = strconv.Atoi(fields[36])
	return status, 0
}
