package boot

import "math/bits"

// ClockSource says what a rate of the TSC rests on; the values are part of the
// system call interface.
type ClockSource uint32

// The sources of a TSC rate.
const (
	NoClock     ClockSource = iota
	ByPMTimer               // measured against the ACPI timer
	ByHPET                  // measured against the HPET
	ByStatement             // stated by CPUID or the hypervisor
)

// Text returns the source as the console names it.
func (s ClockSource) Text() string {
	switch s {
	case ByPMTimer:
		return "pm-timer"
	case ByHPET:
		return "hpet"
	case ByStatement:
		return "cpuid"
	}
	return "none"
}

// The rates between which a TSC is believed.
const minHz, maxHz = 1_000_000, 100_000_000_000

// Clock converts between TSC ticks and nanoseconds, by multiplication and shift:
// a division in every kernel entry would cost more than reading the TSC. Both
// directions are exact to one unit for spans beyond 100 years.
type Clock struct {
	Hz      uint64 // TSC ticks per second
	toNanos scale
	toTicks scale
}

// Set makes c the clock of a TSC of hz ticks a second; false if no TSC of ours
// runs at that rate (below 1 MHz, above 100 GHz).
func (c *Clock) Set(hz uint64) bool {
	if hz < minHz || hz > maxHz {
		return false
	}
	c.Hz = hz
	c.toNanos = scaleOf(1_000_000_000, hz)
	c.toTicks = scaleOf(hz, 1_000_000_000)
	return true
}

// Nanoseconds returns how long ticks last: rounded down, or one more. It never
// goes back when ticks grow, and stops at the largest duration.
func (c *Clock) Nanoseconds(ticks uint64) int64 {
	ns := c.toNanos.apply(ticks)
	if ns > 1<<63-1 {
		return 1<<63 - 1
	}
	return int64(ns)
}

// Scale returns the factor and the shift by which ticks become nanoseconds, for
// code that cannot call [Clock.Nanoseconds]: ticks times factor, shifted right.
func (c *Clock) Scale() (factor uint64, shift uint) { return c.toNanos.factor, c.toNanos.shift }

// Ticks returns how many ticks pass within at least ns nanoseconds:
// Nanoseconds(Ticks(ns)) ≥ ns, so an alarm set by it never fires early. It is 0
// for a negative span.
func (c *Clock) Ticks(ns int64) uint64 {
	if ns <= 0 {
		return 0
	}
	ticks := c.toTicks.apply(uint64(ns))
	if ticks == 1<<64-1 {
		return ticks
	}
	return ticks + 1
}

// scale is a fraction factor / 2^shift with all 64 bits of factor in use,
// rounded up.
type scale struct {
	factor uint64
	shift  uint
}

// scaleOf returns the scale by a/b; both lie between 1 and 2^37.
func scaleOf(a, b uint64) scale {
	// The largest shift at which the quotient still has 64 bits.
	shift := uint(0)
	for high, _ := shiftLeft(a, shift+1); high < b; high, _ = shiftLeft(a, shift+1) {
		shift++
	}
	high, low := shiftLeft(a, shift)
	factor, rest := bits.Div64(high, low, b)
	switch {
	case rest == 0:
	case factor == 1<<64-1:
		factor, shift = 1<<63, shift-1
	default:
		factor++
	}
	return scale{factor, shift}
}

// shiftLeft returns a·2^shift in 128 bits, for shifts from 0 to 127.
func shiftLeft(a uint64, shift uint) (high, low uint64) {
	if shift >= 64 {
		return a << (shift - 64), 0
	}
	return a >> (64 - shift), a << shift
}

// apply returns v·factor/2^shift, rounded down; the largest value if it does not fit.
func (s *scale) apply(v uint64) uint64 {
	high, low := bits.Mul64(v, s.factor)
	if s.shift >= 64 {
		return high >> (s.shift - 64)
	}
	if high>>s.shift != 0 {
		return 1<<64 - 1
	}
	return high<<(64-s.shift) | low>>s.shift
}
