package smp

// The few instructions that this package needs.

// readTSC returns the calling CPU's time stamp counter, in ticks.
func readTSC() uint64

// pause tells the CPU (and QEMU's scheduler) that the caller spins.
func pause()

// readMSR reads a model-specific register.
func readMSR(register uint32) uint64

// writeMSR writes a model-specific register.
func writeMSR(register uint32, value uint64)

// fence lets no later store to a model-specific register pass an earlier one
// to memory.
func fence()
