package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"unsafe"
)

// topology is where the CPUs that answered sit; locations is what Build makes
// it from, and tree its text.
var (
	topology  cpu.Topology
	locations [cpu.Max]cpu.Location
	tree      [cpu.TreeBytes]byte
)

func buildTopology() {
	for id := 0; id < onlineCount; id++ {
		c := cpuAt(cpu.ID(id))
		locations[id] = cpu.Decode(&c.leaves, c.apic)
	}
	cpu.Build(&topology, locations[:onlineCount])
	for notes := topology.Notes; notes != 0; notes = notes.Rest() {
		say(notes.Text())
	}
}

// printMachine writes what was found: CPUs, memory, clock and the tree.
func printMachine() {
	consoleLock.lock()
	put("hearth: cpus ")
	putDecimal(uint64(machine.CPUCount))
	put(" online ")
	putDecimal(uint64(onlineCount))
	put(" llcs ")
	putDecimal(uint64(topology.LLCs))
	put(" cores ")
	putDecimal(uint64(topology.Cores))
	put(" memory ")
	putDecimal((machine.MemoryBytes() + 1<<19) >> 20)
	put(" MiB tsc ")
	putDecimal(clock.Hz / 1_000_000)
	put(".")
	putDecimal(clock.Hz / 100_000 % 10)
	put(" MHz ")
	put(machine.TSCSource.Text())
	put("\n")
	putLeftOut("ranges of memory", machine.MemoryLeftOut)
	putLeftOut("CPUs beyond 1,024", machine.CPUsLeftOut)
	putLeftOut("CPUs that the firmware disabled", machine.CPUsDisabled)
	n := cpu.AppendTree(tree[:], &topology)
	putBytes(uintptr(unsafe.Pointer(&tree)), min(n, len(tree)))
	consoleLock.unlock()
}

// putLeftOut writes how many of something are not used, unless none.
func putLeftOut(what string, n int) {
	if n == 0 {
		return
	}
	put("hearth: ")
	putDecimal(uint64(n))
	put(" ")
	put(what)
	put(" left out\n")
}

// usedBytes returns the memory in use: frames handed out, and the image.
func usedBytes() uint64 {
	return (boot.RAM.Total()-boot.RAM.Free())*boot.PageSize + boot.ImageBytes()
}
