package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/smp"
	"sync/atomic"
	"unsafe"
)

// released lets the secondaries begin to run passes, once there is a scheduler
// and something to run.
var released atomic.Uint32

// tokenBase is stirred into the token that each secondary must echo.
const tokenBase = 0x48656172_74680000

// startSecondaries starts every enabled CPU that the firmware lists. Those that
// answer get dense ids in that order; a silent one is reported and left out.
func startSecondaries() {
	onlineCount = 1
	if machine.CPUCount == 1 {
		return
	}
	page := boot.TrampolinePage(&machine)
	if page == 0 {
		say("no free page below 1 MiB for the trampoline: one CPU")
		return
	}
	var starter smp.Starter
	starter.Init(&smp.Page{
		Physical:     page,
		Address:      boot.Direct(page),
		FirstTables:  boot.FirstTables(),
		KernelTables: boot.Root,
		Entry:        enterAddress(),
	})
	for i := 1; i < machine.CPUCount; i++ {
		startSecondary(&starter, machine.CPUs[i].APICID)
	}
}

func startSecondary(s *smp.Starter, apic uint32) {
	const mostAPIC = 0xfe
	if apic > mostAPIC {
		sayAbout("cpu with APIC id ", apic, " needs x2APIC, which this kernel does not drive, and is left out")
		return
	}
	id := cpu.ID(onlineCount)
	c := newPerCPU()
	if c == nil || !c.init(id, apic) {
		sayAbout("cpu with APIC id ", apic, " is left out: no memory for its stacks")
		return
	}
	token := tokenBase + uint64(apic)
	if !s.Start(apic, c.stackTop, c.self, &c.echo, token) {
		sayAbout("cpu with APIC id ", apic, " stayed silent and is left out")
		return
	}
	onlineCount++
}

// newPerCPU takes memory for a CPU's block.
func newPerCPU() *perCPU {
	const frames = (unsafe.Sizeof(perCPU{}) + boot.PageSize - 1) / boot.PageSize
	run := boot.RAM.TakeRun(uint64(frames))
	if run == 0 {
		return nil
	}
	at := boot.Direct(run)
	clearWords(at, frames*boot.PageSize)
	return (*perCPU)(unsafe.Pointer(at))
}

func sayAbout(before string, apic uint32, after string) {
	consoleLock.lock()
	put("hearth: ")
	put(before)
	putDecimal(uint64(apic))
	put(after)
	put("\n")
	consoleLock.unlock()
}

// secondaryMain is where a secondary goes on, on its own stack and block. It
// tells what it is, echoes its token and waits to be released.
func secondaryMain() {
	c := me()
	c.segments.Load()
	boot.LoadGates()
	smp.EnableLAPIC()
	smp.OpenAlarm()
	readLeaves(&c.leaves)
	checkFloor(&c.leaves)
	c.echo.Store(tokenBase + uint64(c.leaves.APIC()))
	for released.Load() == 0 {
		boot.Pause()
	}
	c.begin(kindBoot)
	c.leave()
}

func releaseSecondaries() { released.Store(1) }

func enterAddress() uintptr
