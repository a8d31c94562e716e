//go:build hearth_faults

package boot

// BreakInterruptStack makes the interrupt stack that most vectors use one that is
// not there, so that the next exception becomes a double fault.
func (s *Segments) BreakInterruptStack() {
	const firstStack, nowhere = 36, 0x1000
	store64(s.task[:], firstStack, nowhere)
}
