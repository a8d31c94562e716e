//go:build hearth_faults

package kernel

import "hearth/boot"

// ownTicks returns the calling CPU's TSC. The first CPU behind the boot CPU has one
// that is a second ahead with fault=tsc-offset, and one that is a quarter too
// fast with fault=tsc-drift.
func (c *perCPU) ownTicks() uint64 {
	ticks := boot.ReadTSC()
	if c.slot == 1 {
		if options.Faults.Has(boot.FaultTSCOffset) {
			ticks += clock.Hz
		}
		if options.Faults.Has(boot.FaultTSCDrift) {
			ticks += (ticks - timeBase.start) / 4
		}
	}
	return ticks
}
