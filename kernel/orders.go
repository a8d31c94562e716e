package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/smp"
)

// What the boot CPU wants of a secondary that is up; a secondary that has nothing
// to do halts, since hundreds that spin would leave an emulated boot CPU no time.
const (
	orderWait = iota // for the next order
	orderTell        // its TSC, whenever it is asked
	orderStop        // for good
	orderRun         // passes: there is a scheduler and something to run
)

// give gives secondary c an order and wakes it.
func (c *perCPU) give(order uint32) {
	c.order.Store(order)
	if order != orderWait {
		smp.Kick(c.apic)
	}
}

// obey carries out orders until the one to run comes. An order that comes between
// the look and the halt ends the halt: its kick waits until interrupts are on.
func (c *perCPU) obey() {
	c.enterQuiescent()
	for {
		switch c.order.Load() {
		case orderTell:
			c.tellTSC()
		case orderStop:
			smp.DisableLAPIC()
			boot.Halt()
		case orderRun:
			c.leaveQuiescent()
			return
		default:
			c.halts++
			c.mode = inHalt
			smp.HaltForInterrupt()
			c.mode = inKernel
		}
	}
}

// releaseSecondaries lets every CPU run passes.
func releaseSecondaries() {
	for id := 1; id < onlineCount; id++ {
		cpuAt(cpu.ID(id)).give(orderRun)
	}
}
