package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/smp"
	"sync/atomic"
	"time"
)

// Every CPU ticks at a low rate and leaves a sign of life each time; at its own
// ticks it looks whether the next CPU has left one. A CPU that ticks on while the
// next one leaves none kicks it, and if that helps nothing ends the machine with a
// crash record, which shows where every CPU is.
//
// What counts is the watcher's own ticks, not time: a host that is short of CPUs may
// stop a guest, or one CPU of it, for seconds, and a guest that was stopped as a
// whole then sees time jump, but ticks no more often for that.

// Ticks of the watcher without a sign of life, before it kicks and before it gives
// the other up.
const (
	ticksToKick  = 6
	ticksToStall = 8
)

// tickPeriod is the time between ticks, 0 for none: nobody watches.
var tickPeriod time.Duration

// ending says that the machine ends: a CPU that writes a record or a trace leaves
// no signs of life.
var ending atomic.Bool

// watch is what a CPU keeps for the watchdog.
type watch struct {
	beats  atomic.Uint64 // signs of life
	tickAt time.Duration // the next tick
	seen   uint64        // the next CPU's beats at the last look
	still  uint32        // own ticks since they changed
	spun   uint32        // ticks since the CPU has done nothing but spin
}

// startWatch sets the watchdog's period from the kernel command line. Under
// emulation a CPU's thread may have to wait for a host CPU, so the default is
// doubled there.
func startWatch() {
	limit := time.Duration(options.Watchdog) * time.Second
	if emulated && options.Watchdog == boot.WatchdogDefault {
		limit *= 2
	}
	if onlineCount > 1 {
		tickPeriod = limit / ticksToStall
	}
}

// tick leaves a sign of life and looks for the next CPU's, if it is time.
func (c *perCPU) tick(t time.Duration) {
	if tickPeriod == 0 || t < c.tickAt {
		return
	}
	c.tickAt = t + tickPeriod
	c.beats.Add(1)
	if !ending.Load() {
		c.watchNext()
	}
}

// watchNext looks at the CPU that this one watches.
func (c *perCPU) watchNext() {
	o := cpuAt(cpu.ID((int(c.id) + 1) % onlineCount))
	if beats := o.beats.Load(); beats != c.seen {
		c.seen, c.still = beats, 0
		return
	}
	switch c.still++; {
	case c.still >= ticksToStall && !c.awaitBeat(o):
		crashAbout(o.id, "stalled: it has left no sign of life while the CPU that watches it ticked 8 times, nor after a kick")
	case c.still == ticksToKick:
		smp.Kick(o.apic) // it may have lost its alarm
	}
}

// lastWait is how long a CPU that is about to be given up gets to show that it lives.
const lastWait = 500 * time.Millisecond

// awaitBeat waits for a sign of life of another CPU and reports whether there was
// one. A QEMU that counts instructions runs its CPUs in turn and may leave one that
// only wants to run without a turn, as long as another computes; a pause in that
// one's code gives it the turn.
func (c *perCPU) awaitBeat(o *perCPU) bool {
	for until := now() + lastWait; now() < until; {
		boot.Pause()
		c.serveFlush()
		if o.beats.Load() != c.seen {
			c.still = 0
			return true
		}
	}
	return false
}

// nextTick returns the earlier of an alarm, < 0 for none, and the CPU's next tick.
func (c *perCPU) nextTick(alarm time.Duration) time.Duration {
	if tickPeriod == 0 || alarm >= 0 && alarm <= c.tickAt {
		return alarm
	}
	return c.tickAt
}

// spin is one turn of a wait in kernel context, with interrupts off: it serves who
// may be waiting for this CPU. turn counts from 0.
func (c *perCPU) spin(turn uint32) {
	boot.Pause()
	c.serveFlush()
	const often = 1 << 12
	if turn%often != often-1 {
		return
	}
	if t := now(); tickPeriod != 0 && t >= c.tickAt {
		c.tick(t)
		if c.spun++; c.spun >= 2*ticksToStall {
			crashAbout(c.id, "has waited too long for a lock, or for another CPU to flush its TLB")
		}
	}
}
