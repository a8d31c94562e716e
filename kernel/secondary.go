package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/smp"
	"time"
	"unsafe"
)

// tokenBase is stirred into the token that each secondary must echo.
const tokenBase = 0x48656172_74680000

// startSecondaries starts every enabled CPU that the firmware lists. Those that
// answer get dense ids in that order; the others are reported and left out.
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
		Silent:       silence(),
	})
	for slot := 1; slot < machine.CPUCount; slot++ {
		if reachable(machine.CPUs[slot].APICID) {
			smp.Reset(machine.CPUs[slot].APICID)
		}
	}
	smp.Wait(smp.AfterInit)
	for slot := 1; slot < machine.CPUCount; slot++ {
		startSecondary(&starter, slot)
	}
	meetAgain()
}

// silence is how long a CPU that is started, or asked, may take to answer. Under
// emulation it has to wait for a host CPU first, and a busy host has few.
func silence() time.Duration {
	if emulated {
		return 6 * time.Second
	}
	return 2 * time.Second
}

// reachable reports whether an interrupt can name a CPU.
func reachable(apic uint32) bool { return smp.X2APIC() || apic <= smp.MostAPIC }

// startSecondary starts the CPU that the firmware lists in a slot; it has the
// stacks of that number, so that no CPU that is left out shares them.
func startSecondary(s *smp.Starter, slot int) {
	apic := machine.CPUs[slot].APICID
	if !reachable(apic) {
		sayAbout("cpu with APIC id ", apic, " needs x2APIC mode, which the CPUs do not have, and is left out")
		return
	}
	c := newPerCPU()
	if c == nil || !c.init(cpu.ID(onlineCount), slot, apic) {
		sayAbout("cpu with APIC id ", apic, " is left out: no memory for its stacks")
		return
	}
	c.order.Store(orderTell)
	if !s.Start(apic, c.stackTop, c.self, &c.echo, tokenBase+uint64(apic)) {
		sayAbout("cpu with APIC id ", apic, " stayed silent and is left out")
		c.order.Store(orderStop) // should it come so late that it got through
		return
	}
	if c.settle() {
		onlineCount++
	}
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
// tells what it is, echoes its token and does as it is ordered until it runs.
func secondaryMain() {
	c := me()
	c.segments.Load()
	boot.LoadGates()
	smp.EnableLAPIC()
	smp.OpenAlarm()
	readLeaves(&c.leaves)
	checkFloor(&c.leaves)
	injectSilence()
	c.echo.Store(tokenBase + uint64(c.leaves.APIC()))
	c.obey()
	c.begin(kindBoot)
	c.leave()
}

func enterAddress() uintptr
