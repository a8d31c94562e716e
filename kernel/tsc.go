package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/smp"
	"sync/atomic"
	"time"
)

// tscMeeting is where the boot CPU learns how far another CPU's TSC is ahead of its
// own: it numbers its questions, and the other answers each with its TSC.
type tscMeeting struct {
	asked    atomic.Uint64
	answered atomic.Uint64
	told     uint64 // valid once answered has the number of the question
	offset   boot.Offset
}

// ticks returns the boot CPU's TSC as the calling CPU c can tell: its own, put
// right.
func (c *perCPU) ticks() uint64 { return c.ownTicks() - c.ahead }

// tellTSC answers the boot CPU's questions as long as that is the order.
func (c *perCPU) tellTSC() {
	m := &c.meeting
	for c.order.Load() == orderTell {
		if n := m.asked.Load(); n != m.answered.Load() {
			m.told = c.ownTicks()
			m.answered.Store(n) // publishes told
		}
		boot.Pause()
	}
}

// Meetings go on until the offset is known to within half a microsecond, but not for
// long if the TSCs may agree: then nothing depends on it. A CPU whose offset
// cannot be known well enough is not used.
const (
	leastRounds    = 1
	enoughRounds   = 16
	patience       = 2 * time.Millisecond
	longPatience   = 2 * time.Second
	offsetEnough   = time.Microsecond / 2
	offsetMost     = 5 * time.Microsecond
	betweenMeeting = 5 * time.Millisecond
)

// meet asks CPU c for its TSC until its offset is known. It reports false for a CPU
// that does not answer.
func (c *perCPU) meet() bool {
	m := &c.meeting
	start := boot.ReadTSC()
	for round := 0; !m.known(round, boot.ReadTSC()-start); round++ {
		asked := bootCPU.ownTicks()
		number := m.asked.Load() + 1
		m.asked.Store(number)
		for m.answered.Load() != number {
			if bootCPU.ownTicks()-asked > clock.Ticks(int64(silence())) {
				return false
			}
			boot.Pause()
		}
		m.offset.Add(asked, m.told, bootCPU.ownTicks())
	}
	return true
}

// known reports whether a meeting can end that has had so many rounds and ticks.
func (m *tscMeeting) known(rounds int, spent uint64) bool {
	most := longPatience
	if m.offset.None() {
		most = patience
	}
	switch {
	case rounds < leastRounds:
		return false
	case !m.offset.Steady() || spent > clock.Ticks(int64(most)):
		return true
	}
	return rounds >= enoughRounds && m.offset.Within() <= clock.Ticks(int64(offsetEnough))
}

// correct puts CPU c's TSC right by what its meetings have told, and reports
// false for one that cannot be.
func (c *perCPU) correct() bool {
	ahead, ok := c.meeting.offset.Correction(clock.Ticks(int64(offsetMost)))
	c.ahead = uint64(ahead)
	return ok
}

// meetAgain measures every offset once more, some time after the first, and leaves
// out the CPUs whose TSC has gone astray meanwhile. Only if nothing had to be put
// right may programs read the clock themselves, on whichever CPU they are.
func meetAgain() {
	if onlineCount > 1 {
		smp.Wait(betweenMeeting)
	}
	for id := cpu.ID(1); int(id) < onlineCount; {
		c := cpuAt(id)
		c.give(orderTell)
		if !c.settle() {
			dropCPU(id)
			continue
		}
		if c.ahead != 0 {
			timeBase.direct = 0
			c.sayOffset()
		}
		id++
	}
}

// settle meets CPU c, which has the order to tell, and lets it wait for its
// release; a CPU whose clock cannot be put right is left out, and false.
func (c *perCPU) settle() bool {
	if !c.meet() {
		sayAbout("cpu with APIC id ", c.apic, " has stopped answering and is left out")
		c.give(orderStop)
		return false
	}
	if !c.correct() {
		c.leaveOut()
		return false
	}
	c.give(orderWait)
	return true
}
