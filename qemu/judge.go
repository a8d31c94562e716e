package qemu

import (
	"slices"
	"strconv"
	"strings"
)

// The guest writes v to the exit port, and QEMU's status is v<<1 | 1. So an odd
// status is the guest's word, except for 1, by which QEMU refuses to start.
const (
	statusReset    = 0   // also what QEMU says when a guest powers itself off
	statusPass     = 33  // v 0x10: exit code 0
	statusCode     = 129 // v 0x40: exit code 0, which only stands for one beyond 8 bits
	statusCrash    = 255 // v 0x7f
	statusDeadlock = 65  // v 0x20

	// A greater code is cut to this one: the next status up is the crash.
	maxStatusCode = 62
)

// judge fills in the outcome of a run that is over. The record of one that was
// asked for it at the deadline is no crash.
func (m Machine) judge(r *Result, pastDeadline, asked bool) {
	r.Crash = cutRecord(r.Lines, crashBegin, crashEnd)
	r.Deadlock = cutRecord(r.Lines, deadlockBegin, deadlockEnd)
	switch {
	case pastDeadline && asked:
		r.Outcome = Hang
	case r.Status == statusCrash || len(r.Crash) > 0:
		r.Outcome = Crash
	case r.Status == statusDeadlock:
		r.Outcome = Deadlock
	case pastDeadline:
		r.Outcome = Hang
	case r.Status == statusPass && m.confirmed(r.Lines):
		r.Outcome = Pass
	case r.Status == statusPass:
		r.Outcome = NoVerdict
	case r.Status >= statusCode && r.Status%2 == 1:
		r.Outcome, r.Code = ProgramExit, exitCode(r.Status, r.Lines)
	case r.Status == statusReset:
		r.Outcome = Reset
	default:
		r.Outcome = LaunchFailure
	}
}

// confirmed looks for the guest's own words. The status alone could come from a
// stray write to the port.
func (m Machine) confirmed(lines []string) bool {
	if !slices.Contains(lines, "hearth: exit=0") {
		return false
	}
	passed, failed := false, false
	for _, line := range lines {
		passed = passed || hasVerdict(line, "pass")
		failed = failed || hasVerdict(line, "fail")
	}
	return !failed && (passed || !m.Verdict)
}

func hasVerdict(line, verdict string) bool {
	rest, ok := strings.CutPrefix(line, "hearth: verdict="+verdict)
	return ok && (rest == "" || rest[0] == ' ')
}

// exitCode prefers the kernel's last line, which has the code uncut, as long as
// it agrees with the status.
func exitCode(status int, lines []string) int {
	cut := (status - statusCode) / 2
	for _, line := range slices.Backward(lines) {
		text, ok := strings.CutPrefix(line, "hearth: exit=")
		if !ok {
			continue
		}
		code, err := strconv.Atoi(text)
		if err == nil && min(code&0xff, maxStatusCode) == cut {
			return code
		}
		break
	}
	return cut
}

// The lines that frame a record.
const (
	crashBegin    = "hearth: crash begin"
	crashEnd      = "hearth: crash end"
	deadlockBegin = "hearth: deadlock begin"
	deadlockEnd   = "hearth: deadlock end"
)

// cutRecord cuts the last record out of the console, up to its end or, if the
// machine did not come so far, the console's.
func cutRecord(lines []string, begin, end string) []string {
	for i, line := range slices.Backward(lines) {
		if line != begin {
			continue
		}
		record := lines[i:]
		if at := slices.Index(record, end); at >= 0 {
			record = record[:at+1]
		}
		return record
	}
	return nil
}
