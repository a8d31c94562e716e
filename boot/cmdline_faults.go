package boot

// Fault is a set of things that go wrong on purpose, so that tests see what the
// kernel makes of them: fault=NAME,NAME on the kernel command line. docs/faults.md
// says what is to come of each.
type Fault uint32

// The faults, each in the bit of its place in faultNames.
const (
	// FaultFullTable makes the tables of threads and contexts full early.
	FaultFullTable Fault = 1 << iota
	// FaultLateAlarm makes every alarm late.
	FaultLateAlarm
	// FaultLateKick makes kicks late.
	FaultLateKick
	// FaultOutOfMemory makes frames run out.
	FaultOutOfMemory
	// FaultSilentAP makes a secondary that never answers.
	FaultSilentAP
	// FaultSpuriousWake ends waits and halts without a cause.
	FaultSpuriousWake
	// FaultStalledCPU stops a CPU for good in kernel context.
	FaultStalledCPU
	// FaultTSCDrift makes the TSCs of CPUs run at different rates.
	FaultTSCDrift
	// FaultTSCOffset makes the TSCs of CPUs differ.
	FaultTSCOffset
)

const faultNames = "full-table, late-alarm, late-kick, out-of-memory, silent-ap, spurious-wake, stalled-cpu, tsc-drift, tsc-offset"

// fault reads fault=NAME,NAME. Of an unknown name the problem is about the name
// alone.
func (o *Options) fault(line []byte, word Word, built bool) (LineProblem, Word) {
	rest := word.value("fault=")
	if !built {
		return FaultRefused, rest
	}
	for more := true; more; {
		var name Word
		name, rest, more = rest.cut(line, ',')
		at := name.in(line, faultNames)
		if at < 0 {
			return UnknownFault, name
		}
		o.Faults |= 1 << at
	}
	return NoLineProblem, Word{}
}

// Has reports whether a fault is asked for.
func (f Fault) Has(one Fault) bool { return f&one != 0 }

// in returns the place of w in a list whose names are parted by a comma and a
// blank, -1 if it is not there.
func (w Word) in(line []byte, names string) int {
	for place := 0; ; place++ {
		end := 0
		for end < len(names) && names[end] != ',' {
			end++
		}
		if w.is(line, names[:end]) {
			return place
		}
		if end == len(names) {
			return -1
		}
		names = names[end+len(", "):]
	}
}
