//go:build !hearth_check

package kernel

import (
	"hearth/process"
	"time"
)

// A kernel built with the tag hearth_check holds the scheduler to its rules at the
// end of every entry: check_on.go. This one spends nothing on it.

func (*perCPU) check()                                                    {}
func (*perCPU) checkPass(time.Duration, process.ContextID, time.Duration) {}
func (*perCPU) checkIdle()                                                {}
