package smp

import (
	"math/bits"
	"time"

	"github.com/usbarmory/tamago/amd64/lapic"
)

// timerHz is the rate of the LAPIC timer, and tscHz that of the TSC; deadline
// says that the CPU compares the TSC itself (TSC-deadline mode).
var (
	timerHz  uint64
	tscHz    uint64
	deadline bool
)

// AlarmFloor is the shortest alarm: below about 10 µs a one-shot can fire
// again and again without the program getting on (facts of real machines).
const AlarmFloor = 10 * time.Microsecond

// CalibrateAlarm measures the LAPIC timer of the calling CPU against its TSC,
// for a hundredth of a second; useDeadline is the CPU's TSC-deadline feature.
func CalibrateAlarm(hz uint64, useDeadline bool) {
	tscHz, deadline = hz, useDeadline
	if deadline {
		return
	}
	store(lapic.LAPIC_LVT_TIMER, 1<<16|AlarmVector)
	const most = 0xffffffff
	start := readTSC()
	store(registerInitialCount, most)
	for readTSC()-start < hz/100 {
		pause()
	}
	count := most - load(registerCurrentCount)
	ticks := readTSC() - start
	store(registerInitialCount, 0)
	timerHz = scale(uint64(count), hz, ticks)
}

// TimerHz returns the measured rate of the LAPIC timer, 0 in TSC-deadline mode.
func TimerHz() uint64 { return timerHz }

// OpenAlarm prepares the calling CPU's timer; no alarm is set.
func OpenAlarm() {
	if deadline {
		store(lapic.LAPIC_LVT_TIMER, AlarmVector|lapic.TIMER_MODE_TSC_DEADLINE<<lapic.TIMER_MODE)
		// The mode must be in force before the first deadline is written
		// (Intel SDM 3A, 11.5.4.1).
		fence()
		return
	}
	store(lapic.LAPIC_LVT_TIMER, AlarmVector)
}

// SetAlarm makes the calling CPU's timer fire once, after delay or a little
// later; a negative delay clears it. Delays under [AlarmFloor] are raised to it.
func SetAlarm(delay time.Duration) {
	if delay >= 0 && delay < AlarmFloor {
		delay = AlarmFloor
	}
	if deadline {
		setDeadline(delay)
		return
	}
	count := uint64(0)
	if delay >= 0 {
		// Rounded up, so that an alarm is never early by its own rate.
		count = scale(uint64(delay), timerHz, uint64(time.Second)) + 1
	}
	store(registerInitialCount, uint32(min(count, 0xffffffff)))
}

// tscDeadline is the register that holds the TSC value at which the timer fires,
// 0: never.
const tscDeadline = 0x6e0

func setDeadline(delay time.Duration) {
	at := uint64(0)
	if delay >= 0 {
		at = readTSC() + scale(uint64(delay), tscHz, uint64(time.Second)) + 1
	}
	writeMSR(tscDeadline, at)
}

// scale returns value*to/from without overflow on the way.
func scale(value, to, from uint64) uint64 {
	hi, lo := bits.Mul64(value, to)
	if hi >= from {
		return ^uint64(0)
	}
	quotient, _ := bits.Div64(hi, lo, from)
	return quotient
}
