// Package boot goes from reset to a known machine, described by a value
// ([Info]), and knows how the machine ends.
//
// It holds the image's entry points, the kernel's page tables, the segment and
// gate descriptors of every CPU, the parsers of what firmware tells, the
// calibration of the clock, the serial console and the exits. Everything here
// runs in kernel context before the Go runtime of the image starts, or from a
// kernel entry later: it is restricted Go.
package boot
