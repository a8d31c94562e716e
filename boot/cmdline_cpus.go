package boot

import (
	"hearth/cpu"
	"time"
)

// isolate reads isolated=LIST, CPU ids and ranges of them with commas between, such as
// isolated=1,4-7. Whether these CPUs are there turns out later.
func (o *Options) isolate(line []byte, word Word) (LineProblem, Word) {
	rest := word.value("isolated=")
	for more := true; more; {
		var item Word
		item, rest, more = rest.cut(line, ',')
		from, to, isRange := item.cut(line, '-')
		first := from.number(line, cpu.Max-1)
		last := first
		if isRange {
			last = to.number(line, cpu.Max-1)
		}
		if first < 0 || last < first {
			return BadIsolated, word
		}
		for c := first; c <= last; c++ {
			o.Isolated.Set(cpu.ID(c))
		}
	}
	return NoLineProblem, Word{}
}

const pollMost = 10_000 // microseconds: the longest slice that polling may take

// poll reads poll=off or poll=NUMBERus.
func (o *Options) poll(line []byte, word Word) (LineProblem, Word) {
	value := word.value("poll=")
	if value.is(line, "off") {
		o.Poll = 0
		return NoLineProblem, Word{}
	}
	n := value.Length - len("us")
	if n < 1 || !(Word{value.Offset + n, value.Length - n}).is(line, "us") {
		return BadPoll, word
	}
	us := Word{value.Offset, n}.number(line, pollMost)
	if us < 1 {
		return BadPoll, word
	}
	o.Poll = time.Duration(us) * time.Microsecond
	return NoLineProblem, Word{}
}
