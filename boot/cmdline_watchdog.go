package boot

// WatchdogDefault is how many seconds a CPU may stand still before the watchdog
// ends the machine. A host that is short of CPUs keeps a guest's waiting for
// seconds, which is no fault of the guest.
const WatchdogDefault = 10

const watchdogMost = 3600

// watchdog reads watchdog=on, watchdog=off or watchdog=SECONDS.
func (o *Options) watchdog(line []byte, word Word) (LineProblem, Word) {
	switch value := word.value("watchdog="); {
	case value.is(line, "on"):
		o.Watchdog = WatchdogDefault
	case value.is(line, "off"):
		o.Watchdog = 0
	default:
		seconds := value.number(line, watchdogMost)
		if seconds < 1 {
			return BadWatchdog, word
		}
		o.Watchdog = seconds
	}
	return NoLineProblem, Word{}
}
