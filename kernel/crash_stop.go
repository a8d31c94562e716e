package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/smp"
	"time"
)

// answerWithin is how long a crash waits for each of the others to stop. Under
// emulation a CPU's thread may have to wait for a host CPU first.
const (
	answerWithin         = 100 * time.Millisecond
	answerWithinEmulated = 2 * time.Second
)

// stopOthers sends every other CPU a non-maskable interrupt and waits until each has
// saved its registers. One that does not answer in time is left to itself.
func (c *perCPU) stopOthers() {
	for id := cpu.ID(0); int(id) < onlineCount; id++ {
		if id != c.id {
			smp.NMI(cpuAt(id).apic)
		}
	}
	until := now() + answerWithin
	if emulated {
		until = now() + answerWithinEmulated
	}
	for id := cpu.ID(0); int(id) < onlineCount; id++ {
		for id != c.id && cpuAt(id).stopped.Load() == 0 && now() < until {
			boot.Pause()
		}
	}
}
