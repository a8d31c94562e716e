package boot

import "math/bits"

// Sample is one reading of a reference counter against the TSC.
type Sample struct {
	TSC    uint64 // the TSC when Ticks was read, to within Window/2
	Ticks  uint64 // the reference counter
	Window uint64 // TSC ticks that the reading took, 0: no reading yet
}

// Add offers a reading that was bracketed by two reads of the TSC. The sample
// keeps the one that took least time: it was disturbed least.
func (s *Sample) Add(before, ticks, after uint64) {
	window := after - before
	if window == 0 {
		window = 1
	}
	if s.Window == 0 || window < s.Window {
		*s = Sample{before + window/2, ticks, window}
	}
}

// pmTimerHz is the rate of the ACPI timer, fixed by its specification.
const pmTimerHz = 3_579_545

// RateByPMTimer returns the TSC rate in Hz between two samples of the ACPI timer,
// which may have wrapped once between them: 24 bits do after 4.6 seconds. It
// returns 0 if the samples do not allow a rate.
func RateByPMTimer(a, b *Sample, wide bool) uint64 {
	ticks := (b.Ticks - a.Ticks) & (1<<24 - 1)
	if wide {
		ticks = (b.Ticks - a.Ticks) & (1<<32 - 1)
	}
	return Rate(b.TSC-a.TSC, ticks, pmTimerHz)
}

// RateByHPET returns the TSC rate in Hz between two samples of the HPET, whose
// tick lasts period femtoseconds and whose counter has 64 bits if wide, else 32.
// It returns 0 if the samples do not allow a rate.
func RateByHPET(a, b *Sample, period uint64, wide bool) uint64 {
	ticks := b.Ticks - a.Ticks
	if !wide {
		ticks &= 1<<32 - 1
	}
	high, femtoseconds := bits.Mul64(ticks, period)
	if high != 0 || period > maxHPETPeriod {
		return 0
	}
	return Rate(b.TSC-a.TSC, femtoseconds, 1_000_000_000_000_000)
}

// maxHPETPeriod is the longest tick that the HPET's specification allows, in fs.
const maxHPETPeriod = 100_000_000

// Rate returns the rate of a counter that advanced by ticks while a reference of
// referenceHz advanced by reference, rounded to the nearest; 0 if reference is 0
// or the rate does not fit.
func Rate(ticks, reference, referenceHz uint64) uint64 {
	high, low := bits.Mul64(ticks, referenceHz)
	low, carry := bits.Add64(low, reference/2, 0)
	high += carry
	if high >= reference {
		return 0
	}
	hz, _ := bits.Div64(high, low, reference)
	return hz
}

// Rates are the TSC rates that the sources give, in Hz; 0 for a source that is absent.
type Rates struct{ PMTimer, HPET, Stated uint64 }

// Choose returns the rate to use and its source: a measured one that another
// source confirms within tolerance parts per million, else a measured one, the PM
// timer before the HPET, else the stated one. confirmed says whether a second
// source agrees with it; disputed whether some source does not.
func (r *Rates) Choose(tolerance uint64) (hz uint64, source ClockSource, confirmed, disputed bool) {
	pm, hpet, stated := believed(r.PMTimer), believed(r.HPET), believed(r.Stated)
	pmHPET, pmStated := agree(pm, hpet, tolerance), agree(pm, stated, tolerance)
	hpetStated := agree(hpet, stated, tolerance)
	switch {
	case pm != 0 && (pmHPET || pmStated || !hpetStated):
		hz, source, confirmed = pm, ByPMTimer, pmHPET || pmStated
	case hpet != 0:
		hz, source, confirmed = hpet, ByHPET, hpetStated
	case stated != 0:
		hz, source = stated, ByStatement
	}
	disputed = contradictsRate(hz, pm, tolerance) || contradictsRate(hz, hpet, tolerance) ||
		contradictsRate(hz, stated, tolerance)
	return hz, source, confirmed, disputed
}

// believed returns hz, or 0 if no TSC runs at that rate.
func believed(hz uint64) uint64 {
	if hz < minHz || hz > maxHz {
		return 0
	}
	return hz
}

func contradictsRate(hz, other, tolerance uint64) bool {
	return other != 0 && !agree(hz, other, tolerance)
}

// agree reports whether two rates are present and differ by at most tolerance
// parts per million of the larger.
func agree(a, b, tolerance uint64) bool {
	if a == 0 || b == 0 {
		return false
	}
	return max(a, b)-min(a, b) <= max(a, b)/1_000_000*tolerance
}
