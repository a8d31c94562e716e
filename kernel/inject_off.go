//go:build !hearth_faults

package kernel

// An image without the tag hearth_faults fails only by accident: see inject.go.

func injectTrouble(int) {}
