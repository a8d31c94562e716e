package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/smp"
)

// TLB flushes by generation. Who changed the tables raises every CPU's want
// and waits until its done has caught up; a CPU reads want, flushes, and then
// stores what it read, so a request that comes during the flush stays open.

// serveFlush flushes the calling CPU's TLB if somebody wants it to.
func (c *perCPU) serveFlush() {
	want := c.want.Load()
	if want == c.done.Load() {
		return
	}
	boot.WriteCR3(boot.ReadCR3())
	c.done.Store(want) // pairs with the Load in flushOthers
}

// flushAll makes every CPU forget translations that are no longer in the
// tables. It returns when none can use them any more.
func (c *perCPU) flushAll() {
	boot.WriteCR3(boot.ReadCR3())
	var asked cpu.Mask
	for id := cpu.ID(0); int(id) < onlineCount; id++ {
		if o := cpuAt(id); o != c {
			// Pairs with leaveQuiescent: either this CPU sees the other
			// out of its halt, or the other sees the new want.
			o.want.Add(1)
			if o.quiescent.Load() == 0 {
				asked.Set(id)
				smp.Flush(o.apic)
			}
		}
	}
	for id := asked.First(); id != cpu.None; id = asked.Next(id) {
		o := cpuAt(id)
		for o.done.Load() != o.want.Load() && o.quiescent.Load() == 0 {
			boot.Pause()
			c.serveFlush()
		}
	}
}

// enterQuiescent promises that this CPU touches no program memory until
// leaveQuiescent has looked for flushes.
func (c *perCPU) enterQuiescent() { c.quiescent.Store(1) }

// leaveQuiescent ends the promise. The store is sequentially consistent and
// comes before the look at want: see flushAll.
func (c *perCPU) leaveQuiescent() {
	c.quiescent.Store(0)
	c.serveFlush()
}
