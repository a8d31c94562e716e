//go:build !hearth_faults

package boot

// FaultsBuilt says that the kernel was built to fail on purpose.
const FaultsBuilt = false
