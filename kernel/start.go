package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/sched"
	"hearth/smp"
	"time"
)

// The machine and the kernel's decisions about it.
var (
	machine   boot.Info
	options   boot.Options
	features  cpu.Features
	scheduler sched.Scheduler

	onlineCount    int // CPUs that answered, 0 to onlineCount-1
	emulated       bool
	hasRandom      bool
	extendedStates uint64        // XCR0
	extendedSize   uintptr       // bytes of an XSAVE area with these states
	bootDone       time.Duration // when the program started
	kernelBytes    uint64        // memory in use by then, the image included
)

// start is where boot's entry calls, on the boot stack (entry_amd64.s).
func start(info uintptr)

// prepare runs on the boot stack under the first tables: it learns the machine
// from what the boot loader passed, and makes the kernel's tables, the frames
// and the boot CPU's block. Nothing else of the kernel runs before it.
func prepare(info uintptr) {
	boot.OpenConsole()
	boot.MaskPIC()
	readLeaves(&bootCPU.leaves)
	checkFloor(&bootCPU.leaves)
	all := boot.Physical{Limit: 4 << 30} // what the first tables reach
	if problem := boot.ReadStartInfo(all, uint64(info), &machine); problem != boot.NoProblem {
		consoleLock.lock()
		put("hearth: error: ")
		put(problem.Text())
		put("\n")
		boot.Exit(exitUsage)
	}
	problem := boot.ReadACPI(all, bootCPU.leaves.APIC(), &machine)
	readOptions()
	if problem != boot.NoProblem {
		say(problem.Text())
	}
	bootCPU.leaves.Features(&features)
	chooseExtended()
	boot.EnableNoExecute()
	if !boot.Prepare(&machine) || !bootCPU.init(0, 0, machine.CPUs[0].APICID) {
		refuse("error: too little memory for the kernel's own tables; give the machine more, 256 MiB do")
	}
}

// bootMain goes on with the kernel's tables and stack in force, and ends with
// the first context of the program current.
func bootMain() {
	boot.EnterTables(&machine)
	setGates()
	bootCPU.segments.Load()
	boot.LoadGates()
	startClock()
	startLAPIC()
	startSecondaries()
	buildTopology()
	printMachine()
	startScheduler()
	startProgram()
	startWatch()
	injectShortage()
	releaseSecondaries()
	me().begin(kindBoot)
	me().leave()
}

// startClock measures the TSC. Without a rate there are no alarms.
func startClock() {
	ok, disputed := boot.CalibrateTSC(&machine, features.TSCHz)
	if !ok || !clock.Set(machine.TSCHz) {
		refuse("error: no clock to measure the TSC against: the machine has neither PM timer nor HPET")
	}
	if disputed {
		say("the sources of the TSC's rate differ by more than 0.1 %")
	}
	setTimeBase()
}

func startLAPIC() {
	if smp.NeedsX2APIC(boot.X2APIC(), features.X2APIC, highestAPIC()) {
		smp.UseX2APIC()
	} else {
		mapLAPIC()
	}
	smp.EnableLAPIC()
	smp.CalibrateAlarm(machine.TSCHz, features.TSCDeadline)
	smp.OpenAlarm()
}

func mapLAPIC() {
	base := machine.LAPICBase
	if base == 0 {
		base = defaultLAPIC
	}
	registers := boot.MapDevice(base, boot.PageSize)
	if registers == 0 {
		refuse("error: too little memory to map the local APIC; give the machine more")
	}
	smp.UseLAPIC(registers)
}

// highestAPIC returns the highest APIC id that the firmware lists.
func highestAPIC() uint32 {
	highest := uint32(0)
	for i := 0; i < machine.CPUCount; i++ {
		highest = max(highest, machine.CPUs[i].APICID)
	}
	return highest
}

// defaultLAPIC is where the LAPIC's registers are if no table says otherwise.
const defaultLAPIC = 0xfee00000

// startScheduler makes every CPU that answered a candidate.
func startScheduler() {
	checkIsolated()
	scheduler.Init(&topology)
	scheduler.SetPollBudget(pollBudget())
	tracing = options.Trace
	if options.ByCost {
		scheduler.SetPlacement(sched.ByCost, sched.DefaultCosts())
	}
	for id := cpu.ID(0); int(id) < onlineCount; id++ {
		scheduler.SetExitLatency(id, haltLatency)
		if options.Isolated.Has(id) {
			scheduler.SetIsolated(id)
		}
		scheduler.Online(id, now())
	}
}

// pollBudget is what the command line says or, without a word there, about what a
// kick and the exit from a halt cost together; under an emulator or a hypervisor, where
// a CPU that polls takes the host's CPU from one that works, nothing.
func pollBudget() time.Duration {
	switch {
	case options.Poll >= 0:
		return options.Poll
	case emulated:
		return 0
	}
	return 20 * time.Microsecond
}

// checkIsolated refuses isolated= if a CPU of it is not there, or none is left.
func checkIsolated() {
	missing, left := options.Isolated, 0
	for id := cpu.ID(0); int(id) < onlineCount; id++ {
		if missing.Has(id) {
			missing.Clear(id)
		} else {
			left++
		}
	}
	if first := missing.First(); first != cpu.None {
		consoleLock.lock()
		put("hearth: error: isolated= names CPU ")
		putDecimal(uint64(first))
		put(", which is not there; this machine's are 0-")
		putDecimal(uint64(onlineCount - 1))
		put("\n")
		boot.Exit(exitUsage)
	}
	if left == 0 {
		refuse("error: isolated= leaves no CPU for threads that ask for none")
	}
}

// haltLatency is what leaving HLT costs, as term 6 of a placement sees it: one
// idle state on every CPU, so it only has to be above a busy CPU's nothing.
const haltLatency = time.Microsecond

// readLeaves reads the CPUID words of the calling CPU.
func readLeaves(l *cpu.Leaves) {
	for {
		q, more := l.Next()
		if !more {
			return
		}
		l.Record(boot.CPUID(q.Leaf, q.Sub))
	}
}

// checkFloor refuses a CPU that lacks what the kernel cannot do without.
func checkFloor(l *cpu.Leaves) {
	missing := l.Floor()
	if missing == "" {
		return
	}
	consoleLock.lock()
	put("hearth: error: this CPU lacks ")
	put(missing)
	put("; Hearth needs FSGSBASE, XSAVE, NX and RDTSCP: use a newer CPU, in QEMU -cpu EPYC-Rome or max\n")
	boot.Exit(exitUsage)
}

// exitUsage is the exit code of a machine that cannot be used as it is asked.
const exitUsage = 2

// refuse ends a boot that cannot go on, with one line.
func refuse(why string) {
	say(why)
	boot.Exit(exitUsage)
}

// readOptions reads the kernel command line, or refuses it by naming the word.
func readOptions() {
	problem, at := boot.ParseCommandLine(&machine, &options)
	if problem == boot.NoLineProblem {
		return
	}
	before, after := problem.Text()
	consoleLock.lock()
	put("hearth: error: ")
	put(before)
	for i := 0; i < at.Length; i++ {
		boot.PutConsole(machine.CommandLine[at.Offset+i])
	}
	put(after)
	put("\n")
	boot.Exit(exitUsage)
}

// chooseExtended decides which extended states programs may use: all that the
// CPU has of x87, SSE, AVX and AVX-512, whose area fits a page.
func chooseExtended() {
	const wanted = 0xe7
	extendedStates = features.XSAVEMask & wanted
	const largest, legacy = 2696, 0x3
	extendedSize = largest
	if extendedStates&^legacy == 0 {
		extendedSize = 576
	} else if extendedStates&^7 == 0 {
		extendedSize = 832
	}
	_, _, ecx, _ := boot.CPUID(1, 0)
	const randomBit, hypervisorBit = 30, 31
	hasRandom = ecx>>randomBit&1 != 0
	emulated = ecx>>hypervisorBit&1 != 0
}
