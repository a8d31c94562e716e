//go:build !hearth_faults

package kernel

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// An image without the tag hearth_faults fails only by accident: see inject.go.

type (
	injection      struct{}
	spuriousWaking struct{}
)

func (c *perCPU) inject(time.Duration)                                       {}
func (c *perCPU) nextInjected(alarm time.Duration) time.Duration             { return alarm }
func (c *perCPU) holdKicks(*cpu.Mask)                                        {}
func (c *perCPU) holdsKicks() bool                                           { return false }
func (c *perCPU) injectWaking(_ *context, until time.Duration) time.Duration { return until }
func (x *context) injectResult()                                             { _ = x.wait.spurious }
func lateness() time.Duration                                                { return 0 }
func injectSilence()                                                         {}
func injectFullTable(process.ThreadID) bool                                  { return false }
func injectTrouble(int)                                                      {}
func injectShortage()                                                        {}
