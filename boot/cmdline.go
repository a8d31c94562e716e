package boot

import (
	"hearth/cpu"
	"time"
)

// Limits of the kernel command line.
const (
	MaxEnvironment = 32 // variables for the program
	MaxArguments   = 64 // arguments for the program
)

// Word is a piece of Info.CommandLine, by place and length in bytes.
type Word struct{ Offset, Length int }

// Options is what the kernel command line asks for. Its words lie in the command
// line that it was read from.
type Options struct {
	Trace            bool                 // dump the trace at exit
	Faults           Fault                // what goes wrong on purpose
	Watchdog         int                  // seconds that a CPU may stand still, 0: nobody watches
	Isolated         cpu.Mask             // CPUs set apart
	ByCost           bool                 // placements rank by estimated cost
	Poll             time.Duration        // how long an idle CPU polls at most; 0: never; negative: as the machine says
	Environment      [MaxEnvironment]Word // NAME=VALUE each
	EnvironmentCount int
	Arguments        [MaxArguments]Word // what follows --
	ArgumentCount    int
}

// LineProblem is what is wrong with a kernel command line.
type LineProblem uint8

// The problems of a kernel command line. Each refuses the boot.
const (
	NoLineProblem LineProblem = iota
	UnknownKey
	BadTrace
	BadVariable
	TooManyVariables
	TooManyArguments
	OpenQuote
	LineTooLong
	UnknownFault
	FaultRefused
	BadWatchdog
	BadIsolated
	BadPoll
	BadPlacement
)

// Text returns the message about the offending word: what to print before it and
// after it.
func (p LineProblem) Text() (before, after string) {
	switch p {
	case UnknownKey:
		return "unknown key \"", "\" on the kernel command line; known: env.NAME, fault, isolated, placement, poll, trace, watchdog; program arguments go after --"
	case BadTrace:
		return "bad value in \"", "\" on the kernel command line; use trace=on or trace=off"
	case BadVariable:
		return "bad variable \"", "\" on the kernel command line; use env.NAME=VALUE"
	case TooManyVariables:
		return "no room for \"", "\" on the kernel command line; at most 32 env.NAME=VALUE"
	case TooManyArguments:
		return "no room for \"", "\" on the kernel command line; at most 64 program arguments"
	case OpenQuote:
		return "no closing quote in \"", "\" on the kernel command line; put a double quote at both ends"
	case LineTooLong:
		return "no room after \"", "\" on the kernel command line; at most 4096 bytes"
	case UnknownFault:
		return "unknown fault \"", "\" on the kernel command line; known: " + faultNames
	case FaultRefused:
		return "fault \"", "\" on the kernel command line: this kernel cannot fail on purpose; build it with -tags hearth_faults"
	case BadWatchdog:
		return "bad value in \"", "\" on the kernel command line; use watchdog=on, watchdog=off or seconds, watchdog=1 to watchdog=3600"
	case BadIsolated:
		return "bad value in \"", "\" on the kernel command line; use CPU ids below 1024 and ranges, isolated=1,4-7"
	case BadPoll:
		return "bad value in \"", "\" on the kernel command line; use poll=off or microseconds, poll=1us to poll=10000us"
	case BadPlacement:
		return "bad value in \"", "\" on the kernel command line; use placement=rank or placement=cost"
	}
	return "", ""
}

// ParseCommandLine reads info.CommandLine into o: words of key=value, then, after
// a word --, the program's arguments. Words are parted by blanks; double quotes
// keep blanks and are removed in place. On a problem it returns which one and
// the offending word (of an unknown key the key alone); o is then of no use.
func ParseCommandLine(info *Info, o *Options) (LineProblem, Word) {
	return parseLine(info, o, FaultsBuilt)
}

// parseLine is ParseCommandLine for a kernel that can fail on purpose, or not.
func parseLine(info *Info, o *Options, faults bool) (LineProblem, Word) {
	*o = Options{Watchdog: WatchdogDefault, Poll: -1}
	line := info.CommandLine[:info.CommandLineLength]
	if info.CommandLineCut {
		return LineTooLong, lastWord(line)
	}
	options := true
	for next := 0; ; {
		word, closed := takeWord(line, &next)
		switch {
		case !closed:
			return OpenQuote, word
		case word.Offset == len(line):
			return NoLineProblem, Word{}
		case options && word.is(line, "--"):
			options = false
		case options:
			if problem, at := o.option(line, word, faults); problem != NoLineProblem {
				return problem, at
			}
		case o.ArgumentCount == MaxArguments:
			return TooManyArguments, word
		default:
			o.Arguments[o.ArgumentCount] = word
			o.ArgumentCount++
		}
	}
}

// option reads one word of key=value.
func (o *Options) option(line []byte, word Word, faults bool) (LineProblem, Word) {
	switch key := word.key(line); {
	case key.is(line, "trace"):
		return o.trace(line, word)
	case key.starts(line, "env."):
		return o.variable(word, key)
	case key.is(line, "fault"):
		return o.fault(line, word, faults)
	case key.is(line, "watchdog"):
		return o.watchdog(line, word)
	case key.is(line, "isolated"):
		return o.isolate(line, word)
	case key.is(line, "placement"):
		return o.placement(line, word)
	case key.is(line, "poll"):
		return o.poll(line, word)
	default:
		return UnknownKey, key
	}
}

func (o *Options) trace(line []byte, word Word) (LineProblem, Word) {
	switch {
	case word.is(line, "trace=on"):
		o.Trace = true
	case word.is(line, "trace=off"):
		o.Trace = false
	default:
		return BadTrace, word
	}
	return NoLineProblem, Word{}
}

func (o *Options) placement(line []byte, word Word) (LineProblem, Word) {
	switch {
	case word.is(line, "placement=cost"):
		o.ByCost = true
	case word.is(line, "placement=rank"):
		o.ByCost = false
	default:
		return BadPlacement, word
	}
	return NoLineProblem, Word{}
}

// variable keeps env.NAME=VALUE without the prefix.
func (o *Options) variable(word, key Word) (LineProblem, Word) {
	const prefix = len("env.")
	if key.Length == prefix || key.Length == word.Length {
		return BadVariable, word
	}
	if o.EnvironmentCount == MaxEnvironment {
		return TooManyVariables, word
	}
	o.Environment[o.EnvironmentCount] = Word{word.Offset + prefix, word.Length - prefix}
	o.EnvironmentCount++
	return NoLineProblem, Word{}
}
