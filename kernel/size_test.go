package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/process"
	"testing"
	"unsafe"
)

// TestStateHasRoomForEveryCPUAndThread: what boot sets aside for a CPU is bounded, so
// that 1,024 of them leave most of a machine to programs, and their stacks stay in
// the part of the address space that is set aside for stacks.
func TestStateHasRoomForEveryCPUAndThread(t *testing.T) {
	const stacks = kernelStack + (stacksPerCPU-1)*interruptSize
	block := unsafe.Sizeof(perCPU{})
	t.Logf("a CPU takes %d KiB and %d of stacks, the scheduler %d, the contexts' frames %d",
		block>>10, stacks>>10, unsafe.Sizeof(scheduler)>>10, unsafe.Sizeof(contexts)>>10)
	if total := cpu.Max * (block + stacks); total > 1<<30 {
		t.Errorf("%d CPUs take %d MiB", cpu.Max, total>>20)
	}
	if len(perCPUs) != cpu.Max || len(machine.CPUs) != cpu.Max || len(scheduler.Topology.At) != cpu.Max || len(locations) != cpu.Max {
		t.Errorf("room for %d, %d, %d, %d CPUs, want %d", len(perCPUs), len(machine.CPUs), len(scheduler.Topology.At), len(locations), cpu.Max)
	}
	if process.MaxContexts != 4096+512 || len(contexts) < process.MaxContexts {
		t.Errorf("%d contexts, room for %d", process.MaxContexts, len(contexts))
	}
	// A stack has a mebibyte of addresses to itself (boot.MapStack).
	if last := uintptr(cpu.Max*stacksPerCPU) << 20; boot.StackBase+last < boot.StackBase || last > 1<<39 {
		t.Errorf("the stacks of %d CPUs take %d GiB of addresses, more than a slot of the top table", cpu.Max, last>>30)
	}
}
