//go:build !hearth_faults

package kernel

import "hearth/boot"

// ownTicks returns the calling CPU's TSC.
func (c *perCPU) ownTicks() uint64 { return boot.ReadTSC() }
