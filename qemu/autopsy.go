package qemu

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// A guest must begin its record within answerLimit, which lets a busy host run
	// each of its CPUs, and end it, the trace that follows it included, within
	// recordLimit more; then the autopsy may take autopsyLimit.
	answerLimit  = 3 * time.Second
	recordLimit  = 30 * time.Second
	autopsyLimit = 5 * time.Second
	// Callers shown of each CPU. A broken chain of frames could have no end.
	maxFrames = 24
)

// CPUState is where a CPU was when its machine hung.
type CPUState struct {
	CPU              int // QEMU's number
	RIP, RSP, RFLAGS uint64
	Halted           bool
	Frames           []uint64 // return addresses, innermost first
}

// String is the state in lines as a crash record has them, whose addresses
// `hearth symbolise` explains.
func (s CPUState) String() string {
	var b strings.Builder
	state := "running"
	if s.Halted {
		state = "halted"
	}
	fmt.Fprintf(&b, "cpu %d %s rip %#x rsp %#x rflags %#x", s.CPU, state, s.RIP, s.RSP, s.RFLAGS)
	for i, pc := range s.Frames {
		fmt.Fprintf(&b, "\ncrash: frame %d %#x", i, pc)
	}
	return b.String()
}

// autopsy asks the guest by a non-maskable interrupt on every CPU for a crash
// record, and waits until that has ended the machine. A guest that does not write
// one (hasBegun tells) is stopped, and its CPUs' places are read from outside. What cannot be read
// is left out: the machine may be in any state.
func autopsy(socket string, hasBegun func() bool) []CPUState {
	q, err := dialQMP(socket, autopsyLimit)
	if err != nil {
		return nil
	}
	defer q.conn.Close()
	if _, err := q.do("inject-nmi", nil); err == nil && (q.ends(answerLimit) || hasBegun() && q.ends(recordLimit)) {
		return nil
	}
	if q.limit(autopsyLimit) != nil {
		return nil
	}
	if _, err := q.do("stop", nil); err != nil {
		return nil
	}
	text, err := q.monitor(0, "info registers -a")
	if err != nil {
		return nil
	}
	var states []CPUState
	for _, part := range strings.Split(text, "CPU#")[1:] {
		s, frame := readRegisters(part)
		s.Frames = q.frames(s.CPU, frame)
		states = append(states, s)
	}
	return states
}

var registerRE = regexp.MustCompile(`\b[ER](IP|SP|BP|FL)=([0-9a-f]+)`)

// readRegisters reads one CPU's part of `info registers`. In 32-bit mode the
// names start with another letter.
func readRegisters(text string) (s CPUState, frame uint64) {
	number, _, _ := strings.Cut(text, "\r")
	s.CPU, _ = strconv.Atoi(number)
	s.Halted = strings.Contains(text, "HLT=1")
	for _, m := range registerRE.FindAllStringSubmatch(text, -1) {
		value, _ := strconv.ParseUint(m[2], 16, 64)
		switch m[1] {
		case "IP":
			s.RIP = value
		case "SP":
			s.RSP = value
		case "BP":
			frame = value
		case "FL":
			s.RFLAGS = value
		}
	}
	return s, frame
}

// frames follows the chain of frame pointers, each of which points to its
// caller's and, behind that, to the return address.
func (q *qmp) frames(cpu int, frame uint64) []uint64 {
	var pcs []uint64
	for len(pcs) < maxFrames && frame != 0 && frame%8 == 0 {
		text, err := q.monitor(cpu, fmt.Sprintf("x /2gx %#x", frame))
		if err != nil {
			break
		}
		next, pc, ok := readPair(text)
		if !ok || pc == 0 {
			break
		}
		pcs = append(pcs, pc)
		if next <= frame { // callers' frames lie higher, or the chain is broken
			break
		}
		frame = next
	}
	return pcs
}

// readPair reads two words as the monitor's x command shows them.
func readPair(text string) (first, second uint64, ok bool) {
	_, words, found := strings.Cut(text, ": ")
	n, err := fmt.Sscanf(words, "0x%x 0x%x", &first, &second)
	return first, second, found && n == 2 && err == nil
}
