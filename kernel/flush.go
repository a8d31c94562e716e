package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/smp"
	"sync/atomic"
)

// TLB flushes are numbered. Who changed the tables takes the next number and waits
// until every CPU has flushed for it; a CPU reads the newest number, flushes, and
// then stores what it read, so a request that comes during its flush stays open.
// One flush serves all requests before it, whoever made them.

// flushes is the number of the newest flush that anybody asked for.
var flushes atomic.Uint64

// serveFlush flushes the calling CPU's TLB if somebody wants it to.
func (c *perCPU) serveFlush() {
	newest := flushes.Load()
	if newest == c.done.Load() {
		return
	}
	boot.WriteCR3(boot.ReadCR3())
	c.done.Store(newest) // pairs with the Load in hasFlushed
}

// flushAll makes every CPU forget translations that are no longer in the
// tables. It returns when none can use them any more.
func (c *perCPU) flushAll() {
	number := flushes.Add(1)
	c.serveFlush()
	var asked cpu.Mask
	for id := cpu.ID(0); int(id) < onlineCount; id++ {
		// The look at quiescent comes after the number is out and pairs with
		// leaveQuiescent: either this CPU sees the other out of its halt, or
		// the other sees the number.
		if o := cpuAt(id); o != c && !o.hasFlushed(number) {
			asked.Set(id)
			smp.Flush(o.apic)
		}
	}
	for id := asked.First(); id != cpu.None; id = asked.Next(id) {
		o := cpuAt(id)
		for turn := uint32(0); !o.hasFlushed(number); turn++ {
			c.spin(turn) // the other may be waiting for this CPU's
		}
	}
}

// hasFlushed reports whether a CPU has flushed for a number, or will before it
// touches program memory again.
func (c *perCPU) hasFlushed(number uint64) bool {
	return int64(c.done.Load()-number) >= 0 || c.quiescent.Load() != 0
}

// enterQuiescent promises that this CPU touches no program memory until
// leaveQuiescent has looked for flushes.
func (c *perCPU) enterQuiescent() { c.quiescent.Store(1) }

// leaveQuiescent ends the promise. The store is sequentially consistent and
// comes before the look at the newest number: see flushAll.
func (c *perCPU) leaveQuiescent() {
	c.quiescent.Store(0)
	c.serveFlush()
}
