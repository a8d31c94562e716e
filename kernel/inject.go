//go:build hearth_faults

package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/process"
	"hearth/smp"
	"time"
)

// What goes wrong on purpose: options.Faults, from fault= on the kernel command
// line. docs/faults.md says what is to come of each.

// How wrong it goes.
const (
	kickHeld      = 300 * time.Microsecond // a kick, and all that follow it until then
	alarmLate     = 20 * time.Millisecond
	stallAfter    = 50 * time.Millisecond // from the start of the program
	wakingAfter   = 200 * time.Microsecond
	threadsToFull = 16
	framesLeft    = 32 << 20 / boot.PageSize
)

// injection is what a CPU keeps of its faults.
type injection struct {
	held      cpu.Mask      // kicks that are held back
	heldUntil time.Duration // when they are sent
	halts     uint64        // and waits, of which every other ends without a cause
}

// spuriousWaking says that a wait ends without a cause, and without a word of it.
type spuriousWaking bool

// inject does what is due at the end of a kernel entry.
func (c *perCPU) inject(t time.Duration) {
	if options.Faults.Has(boot.FaultStalledCPU) && int(c.id) == onlineCount-1 && t > bootDone+stallAfter {
		stall()
	}
	if c.holdsKicks() && t >= c.heldUntil {
		for id := c.held.First(); id >= 0; id = c.held.Next(id) {
			smp.Kick(cpuAt(id).apic)
		}
		c.held = cpu.Mask{}
	}
}

// stall stops the CPU where it is, with interrupts off.
//
//go:noinline
func stall() {
	for {
		boot.Pause() // stands: stalled
	}
}

// nextInjected returns the earlier of an alarm, < 0 for none, and what is to go wrong.
func (c *perCPU) nextInjected(alarm time.Duration) time.Duration {
	if c.holdsKicks() && (alarm < 0 || c.heldUntil < alarm) {
		alarm = c.heldUntil
	}
	if options.Faults.Has(boot.FaultSpuriousWake) {
		if c.halts++; c.halts%2 == 0 {
			if at := now() + wakingAfter; alarm < 0 || at < alarm {
				alarm = at
			}
		}
	}
	return alarm
}

// holdKicks takes kicks away, to be sent later.
func (c *perCPU) holdKicks(kicks *cpu.Mask) {
	if !options.Faults.Has(boot.FaultLateKick) {
		return
	}
	if !c.holdsKicks() {
		c.heldUntil = now() + kickHeld
	}
	for id := kicks.First(); id >= 0; id = kicks.Next(id) {
		c.held.Set(id)
	}
	*kicks = cpu.Mask{}
}

func (c *perCPU) holdsKicks() bool { return c.held.First() >= 0 }

// injectWaking gives every other wait without a timeout one, of which its caller
// hears nothing.
func (c *perCPU) injectWaking(x *context, until time.Duration) time.Duration {
	if !options.Faults.Has(boot.FaultSpuriousWake) || until != never {
		return until
	}
	c.halts++
	if x.wait.spurious = c.halts%2 == 0; x.wait.spurious {
		return c.entry + wakingAfter
	}
	return until
}

// injectResult makes a wait that was to end without a cause look woken.
func (x *context) injectResult() {
	if x.wait.spurious {
		x.frame.ax = 0
	}
}

// lateness is what every alarm is late.
func lateness() time.Duration {
	if options.Faults.Has(boot.FaultLateAlarm) {
		return alarmLate
	}
	return 0
}

// injectSilence keeps the last CPU that the firmware lists from answering.
func injectSilence() {
	if options.Faults.Has(boot.FaultSilentAP) && me().apic == machine.CPUs[machine.CPUCount-1].APICID {
		for {
			boot.Halt()
		}
	}
}

// injectFullTable reports whether a table of a few threads has no room for one more.
func injectFullTable(id process.ThreadID) bool {
	return options.Faults.Has(boot.FaultFullTable) && id > threadsToFull
}

// injectShortage takes all memory but a little.
func injectShortage() {
	if !options.Faults.Has(boot.FaultOutOfMemory) {
		return
	}
	for boot.RAM.Free() > framesLeft+boot.BlockSize/boot.PageSize && boot.RAM.TakeBlock(0) != 0 {
	}
	for boot.RAM.Free() > framesLeft && boot.RAM.Take() != 0 {
	}
}

// troubled is a section of the crash record that a test wants to fail, plus 1.
var troubled int

// injectTrouble makes the writing of a section of the crash record fail.
func injectTrouble(section int) {
	if section+1 == troubled {
		readNowhere()
	}
}
