//go:build hearth_check

package kernel

import (
	"hearth/process"
	"time"
)

// check holds the scheduler's state of this CPU against its rules, between two of
// its calls. It walks everything, so entries of this build have no bound.
func (c *perCPU) check() { mustHold(scheduler.Broken(c.id)) }

// checkPass is check for what a pass returned.
func (c *perCPU) checkPass(t time.Duration, next process.ContextID, alarm time.Duration) {
	c.check()
	mustHold(scheduler.BrokenPass(c.id, t, alarm))
	if next != scheduler.Current(c.id) {
		crash("sched: one-place: what a pass resumes is current")
	}
}

// checkIdle is check for a CPU that is about to sleep.
func (c *perCPU) checkIdle() {
	c.check()
	mustHold(scheduler.BrokenIdle(c.id))
}

func mustHold(broken string) {
	if broken != "" {
		crash(broken)
	}
}
