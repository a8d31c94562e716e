package sys

import (
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Info describes the machine and the kernel underneath.
type Info struct {
	TSCHz       uint64
	TSCSource   string        // what TSCHz was measured against or read from
	Virtual     bool          // a hypervisor or an emulator runs this machine
	Hypervisor  string        // its signature, such as TCGTCGTCGTCG; empty if it has none
	CPU         string        // the processor's own name
	BootID      string        // tells the boots of a machine apart
	BootTook    time.Duration // from the kernel's entry to the program's; 0 on Linux
	Memory      uint64        // bytes of RAM
	KernelBytes uint64        // bytes of it that the kernel took before the program; 0 on Linux
}

// ReadInfo asks the kernel and the processor. On Linux the first call takes some
// 10 ms to measure the TSC.
func ReadInfo() (Info, error) {
	info := Info{CPU: brand(), Hypervisor: hypervisor()}
	if onHearth {
		return info, info.askHearth()
	}
	_, _, features, _ := cpuid(1, 0)
	info.Virtual = features>>31 != 0
	info.TSCHz, info.TSCSource = measureTSC(), "CLOCK_MONOTONIC"
	info.BootID = strings.TrimSpace(readText("/proc/sys/kernel/random/boot_id"))
	var s syscall.Sysinfo_t
	if err := syscall.Sysinfo(&s); err == nil {
		info.Memory = s.Totalram * uint64(s.Unit)
	}
	return info, nil
}

// infoRecord is the answer of Hearth's call info.
type infoRecord struct {
	tscHz     uint64
	tscSource uint32
	flags     uint32 // 1: hypervisor present
	bootNs    uint64
	memory    uint64
	kernel    uint64
}

var tscSources = [...]string{"unknown", "PM timer", "HPET", "CPUID"}

func (info *Info) askHearth() error {
	var r infoRecord
	if _, _, errno := syscall.RawSyscall(callInfo, uintptr(unsafe.Pointer(&r)), unsafe.Sizeof(r), 0); errno != 0 {
		return &Error{"info", errno.Error(), errno}
	}
	if int(r.tscSource) >= len(tscSources) {
		r.tscSource = 0
	}
	info.TSCHz, info.TSCSource = r.tscHz, tscSources[r.tscSource]
	info.Virtual = r.flags&1 != 0
	info.BootID, info.BootTook = bootMoment(), time.Duration(r.bootNs)
	info.Memory, info.KernelBytes = r.memory, r.kernel
	return nil
}

// gAddress returns the descriptor of the calling goroutine, as a name for it.
func gAddress() uintptr

// TSC reads the calling CPU's time stamp counter after all earlier instructions.
func TSC() uint64

func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

func textBounds() (start, end uintptr)

// Text returns the machine code of the running program, to be read only. It is the
// same bytes on both kernels, so a checksum of it names the build.
func Text() []byte {
	start, end := textBounds()
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), start)), end-start)
}

var measureTSC = sync.OnceValue(func() uint64 {
	began, from := bothClocks()
	time.Sleep(10 * time.Millisecond)
	ended, to := bothClocks()
	return uint64(float64(to-from) / (ended - began).Seconds())
})

// bothClocks reads them at one moment: of some tries, the one that was interrupted
// least.
func bothClocks() (at time.Duration, ticks uint64) {
	for tightest, try := ^uint64(0), 0; try < 16; try++ {
		before := TSC()
		now := Now()
		if took := TSC() - before; took < tightest {
			tightest, at, ticks = took, now, before+took/2
		}
	}
	return at, ticks
}

// bootMoment is the time of day when the clock of Now stood at 0, read once: a
// second reading would differ by the time between two calls.
var bootMoment = sync.OnceValue(func() string {
	return strconv.FormatInt(time.Now().UnixNano()-int64(Now()), 16)
})

// brand returns CPUID's name of the processor, leaves 0x80000002 to 0x80000004.
func brand() string {
	if highest, _, _, _ := cpuid(0x80000000, 0); highest < 0x80000004 {
		return "unknown"
	}
	var name []byte
	for leaf := uint32(0x80000002); leaf <= 0x80000004; leaf++ {
		a, b, c, d := cpuid(leaf, 0)
		name = appendWords(name, a, b, c, d)
	}
	return trimNUL(name)
}

// hypervisor returns the signature at CPUID leaf 0x40000000.
func hypervisor() string {
	if _, _, features, _ := cpuid(1, 0); features>>31 == 0 {
		return ""
	}
	_, b, c, d := cpuid(0x40000000, 0)
	return trimNUL(appendWords(nil, b, c, d))
}

func appendWords(text []byte, words ...uint32) []byte {
	for _, w := range words {
		text = append(text, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return text
}

func trimNUL(text []byte) string {
	s, _, _ := strings.Cut(string(text), "\x00")
	return strings.TrimSpace(s)
}
