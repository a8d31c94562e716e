package qemu

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Outcome is what became of a guest.
type Outcome int

// Only Pass is good. The others differ in where to look next.
const (
	LaunchFailure Outcome = iota // QEMU did not run the guest, or died itself: see Stderr
	Pass                         // exit code 0, and the guest's own word for it
	ProgramExit                  // the program ended with a code other than 0
	NoVerdict                    // exit code 0, but the console does not say that it is a pass
	Crash                        // the kernel stopped itself and wrote a record
	Hang                         // the deadline passed
	Reset                        // the CPU gave up: a triple fault
	Deadlock                     // all threads wait, and nothing is to wake one
)

var outcomeNames = [...]string{"launch failure", "pass", "program exit", "no verdict", "crash", "hang", "reset", "deadlock"}

// String is the outcome in words.
func (o Outcome) String() string { return outcomeNames[o] }

// Result is a finished run.
type Result struct {
	Outcome Outcome
	Code    int      // the program's exit code, for ProgramExit
	Status  int      // QEMU's exit status; -1 if a signal ended it
	Lines   []string // what the guest printed, without line ends
	Dropped int      // lines left out of the front of Lines, for want of room
	// Crash is the crash record, with its frame; after a Hang of a machine with
	// Autopsy it says where the CPUs were, or, if the guest did not answer, CPUs.
	Crash    []string
	CPUs     []CPUState
	Deadlock []string      // who waits on what, with its frame
	Stderr   string        // what QEMU said
	Elapsed  time.Duration // host time
}

// LastLine is the last line that is not empty.
func (r Result) LastLine() string {
	for i := len(r.Lines) - 1; i >= 0; i-- {
		if strings.TrimSpace(r.Lines[i]) != "" {
			return r.Lines[i]
		}
	}
	return ""
}

// before is the last line that is not empty and stands before the last one that
// reads as given.
func (r Result) before(line string) string {
	for i, l := range slices.Backward(r.Lines) {
		if l == line {
			return Result{Lines: r.Lines[:i]}.LastLine()
		}
	}
	return r.LastLine()
}

// Err is nil for a pass; otherwise it says in one line what happened.
func (r Result) Err() error {
	switch r.Outcome {
	case Pass:
		return nil
	case ProgramExit:
		return fmt.Errorf("the program ended with exit code %d", r.Code)
	case NoVerdict:
		return fmt.Errorf("exit status 0, but the console does not confirm a pass; last line: %q", r.LastLine())
	case Crash:
		return fmt.Errorf("crash: %s", r.crashLine())
	case Hang:
		return fmt.Errorf("hang: no end within %v; last line: %q", r.Elapsed.Round(100*time.Millisecond), r.before(crashBegin))
	case Deadlock:
		return fmt.Errorf("deadlock: %s", r.deadlockLine())
	case Reset:
		return fmt.Errorf("reset: the guest met a triple fault; last line: %q", r.LastLine())
	}
	return fmt.Errorf("QEMU did not run the guest: %s", strings.ReplaceAll(r.Stderr, "\n", "; "))
}

// crashLine is what the record says first.
func (r Result) crashLine() string {
	for _, line := range r.Crash {
		if what, ok := strings.CutPrefix(line, "crash: what "); ok {
			return what
		}
	}
	if len(r.Crash) == 0 {
		return fmt.Sprintf("no record on the console; last line: %q", r.LastLine())
	}
	return "the record says no more than: " + r.Crash[len(r.Crash)-1]
}

// deadlockLine is what the record says first.
func (r Result) deadlockLine() string {
	if len(r.Deadlock) < 2 {
		return fmt.Sprintf("no record on the console; last line: %q", r.LastLine())
	}
	return strings.TrimPrefix(r.Deadlock[1], "deadlock: ")
}
